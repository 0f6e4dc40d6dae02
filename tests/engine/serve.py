"""The child process of the local engine: serves a model file on 127.0.0.1 until it is told to end.

It is a process of its own so that a crash of native code does not take the tests down. Its one line of output is
the address; all else goes to standard error.
"""

import importlib
import os
import signal
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Serve the model on the command line: its file, the name that it goes by, and the tokens of its context."""
    ends = {signal.SIGTERM, signal.SIGINT}
    # Before the engine starts its threads: they would take the signal themselves.
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    xllamacpp: Any = importlib.import_module("xllamacpp")

    params = xllamacpp.CommonParams()
    path, name, context = sys.argv[1:]
    params.model.path = str(Path(path))
    params.model_alias = {name}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.offline = True
    params.ui = False
    params.warmup = False
    params.fit_params = False
    params.n_ctx = int(context)
    params.n_parallel = 4
    params.kv_unified = True
    params.cache_ram_mib = 0
    # More than one thread spins while it waits, and is slow beside anything else that runs.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_threads_http = 8
    # Some answers are cut off here. Those without end are the scripted server's part.
    params.n_predict = 600
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    signal.sigwait(ends)
    os._exit(0)


if __name__ == "__main__":
    main()
