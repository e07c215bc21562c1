"""Fleet-wide speculative decoding for stock inference engines.

A *door* stands inside an engine and speaks with an agent, a process of its own beside the engine. The door says which
requests run and what the model has said; the agent proposes the next tokens; the engine verifies them. What the engine
answers never depends on a proposal.

====================== ==============================================================
``tailrace.vllm``          the door of vLLM: a scheduler class
``tailrace.transformers``  the door of Hugging Face transformers: a candidate generator
``tailrace.llama_cpp``     the door of llama-cpp-python: a draft model
``tailrace.scope``         an ASGI middleware that takes a request's scope from a header
``tailrace.doctor``        ``python -m tailrace.doctor`` says what is wrong and what to do
``tailrace.door``          what all doors share
``tailrace.agent``         the connection to the agent
``tailrace.protocol``      the frames, as docs/ENGINE_PROTOCOL.md specifies them
====================== ==============================================================

Importing this package imports nothing else.
"""

__version__ = "0.1.0"
