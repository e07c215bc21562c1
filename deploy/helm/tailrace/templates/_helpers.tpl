{{- define "tailrace.labels" -}}
app.kubernetes.io/part-of: tailrace
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* Of every pod: network policies are the release's own, and a scrape configuration finds its pods. */}}
{{- define "tailrace.podLabels" -}}
app.kubernetes.io/part-of: tailrace
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The model of a name; a name that the job does not have is an error. */}}
{{- define "tailrace.model" -}}
{{- $found := dict -}}
{{- range .models }}{{ if eq .name $.name }}{{ $_ := set $found "is" . }}{{ end }}{{ end -}}
{{- if not $found.is }}{{ fail (printf "model %s is not among `models`, so no job indexes it; add it there" .name) }}{{ end -}}
{{- toJson $found.is -}}
{{- end -}}

{{/* An entry of `engines` with defaults for what it leaves out. */}}
{{- define "tailrace.engine" -}}
{{- $defaults := dict "scope" "default" "boundTopics" "" "replicas" 2 "gpus" 1 "memory" "32Gi" "options" list "agentMemory" "2Gi" "drainSeconds" 60 "autoscale" dict "args" list "env" list "envFrom" list "volumes" list "volumeMounts" list "pod" dict -}}
{{- $engine := dict -}}
{{- range $name, $value := . }}{{ $_ := set $engine $name $value }}{{ end -}}
{{- range $name, $value := $defaults }}{{ if not (hasKey $engine $name) }}{{ $_ := set $engine $name $value }}{{ end }}{{ end -}}
{{- if has $engine.name (list "agent" "worker" "audit" "topics" "flink" "jobmanager" "taskmanager" "tailrace-job" "tailrace-job-rest") }}{{ fail (printf "no engine can be called %s, as something else of the chart is" $engine.name) }}{{ end -}}
{{- toJson $engine -}}
{{- end -}}

{{/*
What an engine gives vLLM besides: its `args`, and all its GPUs where these say nothing of how to divide the model. vLLM reads --a-b and
--a_b as one. An option that the chart gives is an error.
*/}}
{{- define "tailrace.engineArguments" -}}
{{- $ours := list "--model" "--revision" "--scheduler-cls" "--port" "--shutdown-timeout" -}}
{{- $divides := list "--tensor-parallel-size" "-tp" "--pipeline-parallel-size" "-pp" "--data-parallel-size" "-dp" "--prefill-context-parallel-size" "-pcp" -}}
{{- $names := list -}}
{{- range $index, $argument := .args -}}
{{- $name := splitList "=" $argument | first | replace "_" "-" -}}
{{- if has $name $ours }}{{ fail (printf "args of engine %s name %s, which the chart gives: %s" $.name $name (join ", " $ours)) }}{{ end -}}
{{- if and (eq $index 0) (not (hasPrefix "-" $name)) }}{{ fail (printf "args of engine %s begin with %s, which is no option; the model is `model`" $.name $argument) }}{{ end -}}
{{- $names = append $names $name -}}
{{- end -}}
{{- $divided := false -}}
{{- range $divides }}{{ if has . $names }}{{ $divided = true }}{{ end }}{{ end -}}
{{- if and (gt (int .gpus) 1) (not $divided) }}
- {{ printf "--tensor-parallel-size=%d" (int .gpus) | quote }}
{{- end }}
{{- range .args }}
- {{ . | quote }}
{{- end }}
{{- end -}}

{{/* Those of `boundTopics` that have a name; a name that the job does not read is an error. */}}
{{- define "tailrace.bound" -}}
{{- $found := dict -}}
{{- range .all }}{{ if eq .name $.name }}{{ $_ := set $found "is" . }}{{ end }}{{ end -}}
{{- if not $found.is }}{{ fail (printf "boundTopics %s is not among `boundTopics`, so no job reads its topics; add it there" .name) }}{{ end -}}
{{- toJson $found.is -}}
{{- end -}}

{{/* Name of the secret for Kafka of an agent or worker: `bound` names its bound topics, and may be empty. */}}
{{- define "tailrace.workerSecret" -}}
{{- $kafka := .root.Values.kafka -}}
{{- $bound := dict -}}
{{- if .bound }}{{ $bound = include "tailrace.bound" (dict "all" .root.Values.boundTopics "name" .bound) | fromJson }}{{ end -}}
{{- $bound.workerSecret | default $kafka.workerSecret | default $kafka.secret -}}
{{- end -}}

{{/* Name of the secret for the store of an agent or worker: likewise. */}}
{{- define "tailrace.readerSecret" -}}
{{- $bound := dict -}}
{{- if .bound }}{{ $bound = include "tailrace.bound" (dict "all" .root.Values.boundTopics "name" .bound) | fromJson }}{{ end -}}
{{- $bound.readerSecret | default .root.Values.store.readerSecret -}}
{{- end -}}

{{- define "tailrace.jobArguments" -}}
- --bootstrap={{ .Values.kafka.bootstrap }}
- --client-config=/etc/tailrace/kafka/client.properties
{{- with .Values.kafka.topicPrefix }}
- --topic-prefix={{ . }}
{{- end }}
- --signing-key=/etc/tailrace/signing/signing.pem
- --trusted-keys=/etc/tailrace/trusted/trusted.pem
- --store={{ .Values.store.segments }}
{{- range .Values.models }}
- --model={{ .name }}@{{ .revision }},vocabulary={{ int64 .vocabulary }},tokenizer={{ .tokenizer }}
{{- end }}
{{- range .Values.boundTopics }}
- {{ printf "--bound-topics=%s=%s" .name (join "," .scopes) | quote }}
{{- end }}
{{- range .Values.job.options }}
- {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "tailrace.jobMounts" -}}
- { name: kafka, mountPath: /etc/tailrace/kafka, readOnly: true }
- { name: signing, mountPath: /etc/tailrace/signing, readOnly: true }
- { name: trusted, mountPath: /etc/tailrace/trusted, readOnly: true }
{{- end -}}

{{- define "tailrace.jobVolumes" -}}
- name: kafka
  secret: { secretName: {{ .Values.kafka.jobSecret | default .Values.kafka.secret }} }
- name: signing
  secret: { secretName: {{ .Values.keys.signingSecret }}, defaultMode: 0440 }
- name: trusted
  secret: { secretName: {{ .Values.keys.trustedSecret }} }
{{- end -}}

{{/* Options that agents and workers share, and `options` of their own; `bound` names the topics that they report to, and may be empty. */}}
{{- define "tailrace.clientArguments" -}}
- --bootstrap={{ .root.Values.kafka.bootstrap }}
- --client-config=/etc/tailrace/kafka/client.properties
{{- with .root.Values.kafka.topicPrefix }}
- --topic-prefix={{ . }}
{{- end }}
{{- with .bound }}
- --bound-topics={{ . }}
{{- end }}
- --trusted-keys=/etc/tailrace/trusted/trusted.pem
- --store={{ .root.Values.store.segments }}
- --name=$(POD_NAME)
- --cache=/work/cache
- --spool=/work/spool
- --host=0.0.0.0
{{- range .options }}
- {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "tailrace.clientMounts" -}}
- { name: kafka, mountPath: /etc/tailrace/kafka, readOnly: true }
- { name: trusted, mountPath: /etc/tailrace/trusted, readOnly: true }
- { name: work, mountPath: /work }
{{- end -}}

{{- define "tailrace.clientVolumes" -}}
- name: kafka
  secret: { secretName: {{ include "tailrace.workerSecret" . }} }
- name: trusted
  secret: { secretName: {{ .root.Values.keys.trustedSecret }} }
- name: work
  {{- if .folder }}
  hostPath: { path: {{ .folder }}, type: DirectoryOrCreate }
  {{- else }}
  emptyDir: { sizeLimit: {{ .root.Values.clientWork.sizeLimit }} }
  {{- end }}
{{- end -}}

{{/* Where the store is, and credentials of a secret, unless pods have an identity. */}}
{{- define "tailrace.credentials" -}}
{{- if not .root.Values.store.workloadIdentity.enabled }}
- name: AWS_ACCESS_KEY_ID
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: access-key } }
- name: AWS_SECRET_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: secret-key } }
{{- end }}
{{- with .root.Values.store.region }}
- name: AWS_REGION
  value: {{ . | quote }}
{{- end }}
{{- with .root.Values.store.endpoint }}
- name: AWS_ENDPOINT_URL_S3
  value: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* Memory of a TaskManager's pod: that of Flink's process, and what the shell that starts it needs. */}}
{{- define "tailrace.taskManagerLimit" -}}
{{- $size := toString .Values.job.taskManagerMemory -}}
{{- if not (regexMatch "^[0-9]+[mg]$" $size) }}{{ fail (printf "job.taskManagerMemory reads a number and m or g, such as 2560m, got %s" $size) }}{{ end -}}
{{- $number := regexFind "^[0-9]+" $size | int64 -}}
{{- add 256 (hasSuffix "g" $size | ternary (mul 1024 $number) $number) }}Mi
{{- end -}}

{{- define "tailrace.container" -}}
securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
{{- end -}}

{{/* Of a pod's spec: its user, and what `pod` adds, which may be nothing. */}}
{{- define "tailrace.pod" -}}
securityContext: { runAsNonRoot: true, runAsUser: {{ .user }}, fsGroup: {{ .user }}, seccompProfile: { type: RuntimeDefault } }
{{- with .root.Values.images.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- with .pod }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Callers are sent elsewhere before it ends: whoever routes to it needs some seconds to hear of that. */}}
{{- define "tailrace.lifecycle" -}}
lifecycle: { preStop: { sleep: { seconds: 10 } } }
{{- end -}}

{{/* Tasks of each operator: one in each slot. The job's state is kept in 128 parts, and each task needs one. */}}
{{- define "tailrace.parallelism" -}}
{{- $tasks := mul .Values.job.slots .Values.job.taskManagers -}}
{{- if gt $tasks 128 }}{{ fail (printf "job.slots times job.taskManagers is %d, and a job has 128 tasks at most: share models or topics out among several installations (docs/SCALE.md)" $tasks) }}{{ end -}}
{{- $tasks -}}
{{- end -}}

{{/* Flink's settings: deploy/flink/config.yaml, and what a cluster adds. All values are text. */}}
{{- define "tailrace.flinkSettings" -}}
{{- $settings := dict -}}
{{- range $key, $value := fromYaml (.Files.Get "files/flink.yaml") -}}
{{- $_ := set $settings $key (kindIs "float64" $value | ternary (toString (int64 (kindIs "float64" $value | ternary $value 0))) (toString $value)) -}}
{{- end -}}
{{- $_ := set $settings "taskmanager.memory.process.size" .Values.job.taskManagerMemory -}}
{{- $_ := set $settings "taskmanager.numberOfTaskSlots" (toString (int64 .Values.job.slots)) -}}
{{- $_ := set $settings "parallelism.default" (include "tailrace.parallelism" .) -}}
{{- $_ := set $settings "execution.checkpointing.dir" (printf "s3://%s/checkpoints" .Values.store.stateBucket) -}}
{{- $_ := set $settings "execution.checkpointing.savepoint-dir" (printf "s3://%s/savepoints" .Values.store.stateBucket) -}}
{{- $_ := set $settings "high-availability.type" "kubernetes" -}}
{{- $_ := set $settings "high-availability.storageDir" (printf "s3://%s/high-availability" .Values.store.stateBucket) -}}
{{- with .Values.store.endpoint }}{{ $_ := set $settings "s3.endpoint" . }}{{ end -}}
{{- range $key, $value := .Values.job.flink }}{{ $_ := set $settings $key (kindIs "float64" $value | ternary (toJson $value) (toString $value)) }}{{ end -}}
{{- if .Values.store.workloadIdentity.enabled -}}
{{- $_ := set $settings "s3.aws.credentials.provider" "com.amazonaws.auth.WebIdentityTokenCredentialsProvider" -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{/*
Pods of a Deployment. Where an autoscaler decides, as many as there are now: a number of the chart's own would undo what it has done, and
without one Kubernetes would leave one pod.
*/}}
{{- define "tailrace.replicas" -}}
{{- $now := dict -}}
{{- if and .autoscale.max .root.Release.IsUpgrade }}{{ $now = lookup "apps/v1" "Deployment" .root.Release.Namespace .name }}{{ end -}}
{{- dig "spec" "replicas" .replicas $now | int -}}
{{- end -}}

{{- define "tailrace.autoscaler" -}}
{{- if .autoscale.max }}
{{- if lt (int .autoscale.max) (int .replicas) }}{{ fail (printf "%s has %d replicas at least, and autoscale.max is %d" .name (int .replicas) (int .autoscale.max)) }}{{ end }}
{{- if not .autoscale.metrics }}{{ fail (printf "autoscale of %s needs `metrics`, those of a HorizontalPodAutoscaler: processors say little where a GPU works, so name one of yours, such as how many requests wait" .name) }}{{ end }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
  labels: {{ include "tailrace.labels" .root | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .name }} }
  minReplicas: {{ int .replicas }}
  maxReplicas: {{ int .autoscale.max }}
  metrics: {{ toYaml .autoscale.metrics | nindent 4 }}
{{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  labels: {{ include "tailrace.labels" .root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: { app.kubernetes.io/name: {{ .name }}, app.kubernetes.io/instance: {{ .root.Release.Name }} }
{{- end -}}
