"""Models without a service for the agent frameworks: they remember a fact, then recall it.

Run in the frameworks' environment as ``python frameworks.py NAME``: standard input has the example
of docs/frameworks.md and the project, standard output what the model received.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading

FACT = {"summary": "no friday deploys", "body": "Deploy Monday to Thursday."}
QUESTION = {"query": "when may I deploy?"}
CALLS = (("remember_entry", FACT), ("recall", QUESTION), ("forget", {"id": "nothing"}))
seen: dict[str, object] = {"results": [], "threads": [], "tools": []}


def langchain_model():
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools, **_options):
            seen["tools"] = [tool.name for tool in tools]
            return self

        def _generate(self, messages, stop=None, run_manager=None, **options):
            seen["system"] = messages[0].text
            seen["results"] = [item.text for item in messages if item.type == "tool"]
            return super()._generate(messages, stop, run_manager, **options)

    answers = [
        AIMessage(content="", tool_calls=[{"name": name, "args": given, "id": str(at)}])
        for at, (name, given) in enumerate(CALLS)
    ]
    return Model(messages=iter([*answers, AIMessage(content="done")]))


def openai_model():
    from agents import ModelResponse, Usage, set_tracing_disabled
    from agents.models.interface import Model
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage

    set_tracing_disabled(disabled=True)

    class Scripted(Model):
        async def get_response(self, *, system_instructions, input, tools, **_options):  # noqa: A002 -- a name of the SDK
            seen["system"] = system_instructions
            seen["tools"] = [tool.name for tool in tools]
            items = [] if isinstance(input, str) else input
            results = [item for item in items if item.get("type") == "function_call_output"]
            seen["results"] = [item["output"] for item in results]
            return ModelResponse([self.answer(len(results), tools)], Usage(), None)

        def answer(self, number, tools):
            if number == len(CALLS):
                text = {"type": "output_text", "text": "done", "annotations": []}
                return ResponseOutputMessage.model_validate(
                    {"id": "m", "type": "message", "role": "assistant", "content": [text]}
                    | {"status": "completed"}
                )
            name, given = CALLS[number]
            schema = next(tool.params_json_schema for tool in tools if tool.name == name)
            fields = schema["properties"].items()
            filled = {key: field["default"] for key, field in fields if "default" in field} | given
            assert set(filled) == set(schema["required"])  # the strict mode of the service
            return ResponseFunctionToolCall(
                type="function_call", call_id=str(number), name=name, arguments=json.dumps(filled)
            )

        def stream_response(self, *_args, **_options):
            raise NotImplementedError

    return Scripted()


def pydantic_model():
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    def answer(messages, info):
        seen["system"] = info.instructions
        seen["tools"] = [tool.name for tool in info.function_tools]
        parts = [part for message in messages for part in message.parts]
        results = [part for part in parts if part.part_kind == "tool-return"]
        seen["results"] = [json.dumps(part.content) for part in results]
        if len(results) == len(CALLS):
            return ModelResponse(parts=[TextPart("done")])
        return ModelResponse(parts=[ToolCallPart(*CALLS[len(results)])])

    return FunctionModel(answer)


async def run_langchain(agent):
    await agent.ainvoke({"messages": [{"role": "user", "content": "hello"}]})


async def run_openai(agent):
    from agents import Runner

    await Runner.run(agent, "hello")


async def run_pydantic(agent):
    await agent.run("hello")


FRAMEWORKS = {
    "LangChain": (langchain_model, run_langchain),
    "deepagents": (langchain_model, run_langchain),
    "OpenAI Agents SDK": (openai_model, run_openai),
    "pydantic-ai": (pydantic_model, run_pydantic),
}


def main(name):
    """Run the example and print what was seen."""
    from agent_memory.integrations.tools.toolbox import Toolbox

    fresh = Toolbox.fresh

    def noted(box):
        seen["threads"].append(threading.current_thread() is threading.main_thread())
        return fresh(box)

    Toolbox.fresh = noted
    task = json.load(sys.stdin)
    make, run = FRAMEWORKS[name]
    example = {"model": make(), "project": task["project"]}
    exec(task["example"], example)
    asyncio.run(run(example["agent"]))
    print(json.dumps(seen))


if __name__ == "__main__":
    main(sys.argv[1])
