/**
 * Chat templates: from a conversation to the text that a model was trained on.
 *
 * <p>{@link io.tailrace.worker.chat.ChatTemplates} finds the template in a model's directory and renders it with Jinjava.
 *
 * <pre>{@code
 * String prompt = ChatTemplates.read(directory).orElseThrow().render(List.of(new ChatMessage("user", "Hello")), true);
 * }</pre>
 *
 * <p>Templates get {@code messages}, {@code add_generation_prompt}, {@code bos_token}, {@code eos_token} and
 * {@code raise_exception}; tools and documents are not passed.
 */
package io.tailrace.worker.chat;
