import { execa, ExecaError } from 'execa'
import { ProcessError, type Run } from './process.ts'
import { programPath, resolveProgram } from './program-path.ts'

/**
 * execa with a process group of its own: execa's own time-out kills only the child, and a grandchild that holds the pipe
 * (git's ssh) then keeps the call waiting for ever.
 */
export const run: Run = async ([file, ...args], options) => {
  let reason: ProcessError['reason'] | undefined
  // eslint-disable-next-line no-restricted-syntax -- only PATH
  const env = { PATH: process.env.PATH ?? programPath, ...options.env }
  const child = execa(resolveProgram(file, env.PATH), args, {
    detached: true,
    extendEnv: false,
    env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
    maxBuffer: options.maxOutputBytes ?? 1024 * 1024,
    encoding: 'utf8',
    buffer: { stdout: options.stdout === undefined, stderr: true },
    stdout: 'pipe',
    stderr: 'pipe',
    stripFinalNewline: false,
    cleanup: true
  })
  const killGroup = (why: ProcessError['reason']) => {
    reason ??= why
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group is gone already, which is what was asked for.
    }
  }
  const timer = setTimeout(() => killGroup('timeout'), options.timeoutMs)
  const onAbort = () => killGroup('aborted')
  options.signal?.addEventListener('abort', onAbort, { once: true })
  if (options.signal?.aborted) onAbort()
  if (options.stdout) child.stdout?.pipe(options.stdout)
  if (options.onStderrLine) {
    const onLine = options.onStderrLine
    void (async () => {
      for await (const line of child.iterable({ from: 'stderr' })) onLine(line)
    })().catch(() => {}) // The same failure rejects the child itself, below.
  }
  try {
    const result = await child
    return { stdout: result.stdout ?? '', stderr: result.stderr ?? '' }
  } catch (cause) {
    if (!(cause instanceof ExecaError)) throw cause
    killGroup('failed')
    const stderr = typeof cause.stderr === 'string' ? cause.stderr : ''
    const why = cause.isMaxBuffer ? 'output-limit' : cause.code === 'ENOENT' ? 'missing' : (reason ?? 'failed')
    throw new ProcessError(
      `${file}: ${describeFailure(why, cause.exitCode, options.timeoutMs)}`,
      why,
      cause.exitCode,
      stderr
    )
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', onAbort)
  }
}

function describeFailure(reason: ProcessError['reason'], exitCode: number | undefined, timeoutMs: number): string {
  const sentences = {
    failed: `exited with ${exitCode ?? 'a signal'}`,
    timeout: `took longer than ${timeoutMs} ms`,
    aborted: 'was cancelled',
    missing: 'is not installed',
    'output-limit': 'wrote more output than is allowed'
  }
  return sentences[reason]
}
