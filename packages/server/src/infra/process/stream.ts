import type { ChildProcess } from 'node:child_process'
import { pipeline, type Readable, Transform } from 'node:stream'
import { oomScore, setOomScore } from './oom-score.ts'
import { ProcessError, type RunOptions } from './process.ts'
import { programPath } from './program-path.ts'
import { killGroup, startChild } from './start-child.ts'

interface StreamOptions {
  timeoutMs: number
  env: Record<string, string>
  maxBytes: number
  signal?: AbortSignal
  cwd?: RunOptions['cwd']
  as?: RunOptions['as']
}

const maxStderrLength = 64 * 1024

/** Ends only after exit code 0; anything else destroys it with ProcessError. Destroying it kills the group. */
export function spawnStream(argv: readonly [string, ...string[]], options: StreamOptions): Readable {
  let stderr = ''
  let bytes = 0
  let exitCode: number | undefined
  const fail = (text: string, reason: ProcessError['reason']) =>
    new ProcessError(`${argv[0]}: ${text}`, reason, exitCode, stderr)
  let onClosed: (problem: ProcessError | null) => void
  const closed = new Promise<ProcessError | null>((resolve) => (onClosed = resolve))
  const output = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > options.maxBytes) done(fail(`wrote more than ${options.maxBytes} bytes`, 'output-limit'))
      else done(null, chunk)
    },
    flush(done) {
      void closed.then(done)
    }
  })
  const timer = setTimeout(
    () => output.destroy(fail(`took longer than ${options.timeoutMs} ms`, 'timeout')),
    options.timeoutMs
  )
  const onAbort = () => output.destroy(fail('was cancelled', 'aborted'))
  options.signal?.addEventListener('abort', onAbort, { once: true })
  output.once('close', () => {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', onAbort)
  })

  const connect = (child: ChildProcess) => {
    setOomScore(child.pid!, oomScore.tool)
    child.once('close', (code) => {
      exitCode = code ?? undefined
      onClosed(code === 0 ? null : fail(`exited with ${code ?? 'a signal'}`, 'failed'))
    })
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, maxStderrLength)
    })
    if (output.destroyed) {
      // Destroyed while starting. Since Node.js 24 pipeline throws for a destroyed stream.
      child.stdout!.destroy()
      killGroup(child)
      return
    }
    pipeline(child.stdout!, output, () => {
      if (child.exitCode === null) killGroup(child)
    })
  }
  // oxlint-disable-next-line node/no-process-env -- only PATH
  const env = { PATH: process.env.PATH ?? programPath, ...options.env }
  startChild(argv, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd: options.cwd, as: options.as }).then(
    connect,
    (error: Error) => output.destroy(error)
  )
  if (options.signal?.aborted) onAbort()
  return output
}
