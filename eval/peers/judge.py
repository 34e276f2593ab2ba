"""Feeds recorded sessions to a loop detector from PyPI, at its defaults.

Started by peers.mjs with the package's name. Each line on standard input is a session: a list of
events, in which the result of a call directly follows it. Each line on standard output is the
answer: a list of alarms, {"call": index, "action": "nudge" | "block" | "stop", "kind": name}.
"""

import json
import logging
import sys

logging.disable(logging.CRITICAL)


def trajectory_fuse():
    from trajectory_fuse import Action, AgentFuse, DeadlockDetected

    fuse = AgentFuse()

    def observe(call, result):
        success = result.get("ok") if result else None
        output = result.get("output") if result else None
        try:
            fuse.observe(Action(call["name"], call["args"], result=output, success=success))
        except DeadlockDetected as deadlock:
            # It raises into the agent's loop.
            return "stop", deadlock.detection.kind.value

    return observe


def microloop():
    from microloop import Monitor

    # Only observes by default: a status other than healthy is all it says.
    monitor = Monitor()

    def observe(call, result):
        action = f"{call['name']} {json.dumps(call['args'], sort_keys=True)}"
        try:
            decision = monitor.observe(action, text_of(result))
        except ValueError:
            # It refuses actions of more than 4,096 bytes.
            return None
        return None if decision.status == "healthy" else ("nudge", "+".join(decision.reasons))

    return observe


def loopguard_runtime():
    from loopguard.guard import default_detectors
    from loopguard.ingest import _steps_to_observations
    from loopguard.monitor import Monitor

    monitor = Monitor(default_detectors())
    actions = {"warn": "nudge", "replan": "nudge", "pause": "block", "stop": "stop"}

    def observe(call, result):
        step = {"tool": call["name"], "args": call["args"]}
        if result:
            step["output"] = text_of(result)
        hardest = None
        for node, action, signature, payload in _steps_to_observations([step]):
            observed = monitor.observe_decision(node, action, signature, **payload)
            verdict = actions.get(observed.decision.action.value)
            if verdict and (hardest is None or HARDNESS[verdict] > HARDNESS[hardest[0]]):
                hardest = verdict, observed.signals[-1].kind
        return hardest

    return observe


def aura_guard():
    from aura_guard import AgentGuard

    guard = AgentGuard(secret_key=b"evaluation")
    # A cached answer and a rewritten prompt both keep the call from running.
    actions = {"escalate": "stop", "finalize": "stop"}

    def observe(call, result):
        args = call["args"] if isinstance(call["args"], dict) else {"input": call["args"]}
        decision = guard.check_tool(call["name"], args=args)
        if decision.action.value == "allow":
            if result:
                ok = result.get("ok") is not False
                guard.record_result(ok=ok, payload=result.get("output"))
            return None
        return actions.get(decision.action.value, "block"), decision.reason

    return observe


HARDNESS = {"nudge": 1, "block": 2, "stop": 3}

DETECTORS = {
    "trajectory-fuse": trajectory_fuse,
    "microloop": microloop,
    "loopguard-runtime": loopguard_runtime,
    "aura-guard": aura_guard,
}


def text_of(result):
    output = result.get("output") if result else None
    return output if isinstance(output, str) else json.dumps(output)


def alarms_of(events, observe):
    alarms = []
    call = -1
    for index, event in enumerate(events):
        if event["t"] != "call":
            continue
        call += 1
        following = events[index + 1] if index + 1 < len(events) else None
        result = following if following and following["t"] == "result" else None
        verdict = observe({"name": event["name"], "args": event.get("args") or {}}, result)
        if verdict:
            alarms.append({"call": call, "action": verdict[0], "kind": verdict[1]})
    return alarms


make = DETECTORS[sys.argv[1]]
make()
for line in sys.stdin:
    print(json.dumps(alarms_of(json.loads(line), make())), flush=True)
