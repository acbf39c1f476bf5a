import type { ChildProcess } from 'node:child_process'
import { pipeline, type Readable, Transform } from 'node:stream'
import { oomScore, setOomScore } from './oom-score.ts'
import { ProcessError, type RunOptions } from './process.ts'
import { programPath } from './program-path.ts'
import { killGroup, startChild } from './start-child.ts'

interface StreamOptions {
  timeoutMs: number
  /** The complete environment of the child, besides PATH. */
  env: Record<string, string>
  /** More bytes of output than this destroy the stream. */
  maxBytes: number
  signal?: AbortSignal
  cwd?: RunOptions['cwd']
  as?: RunOptions['as']
}

const maxStderrLength = 64 * 1024

/**
 * Standard output of a program as a stream, for output too large to keep. It ends only after the program has exited with 0; any
 * other end, the time limit, the byte limit, an abort and a program that cannot be started destroy it with a ProcessError. Destroying it
 * kills the process group.
 */
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
      // Ended while it was being started. From Node.js 24 on pipeline throws at a stream that is.
      child.stdout!.destroy()
      killGroup(child)
      return
    }
    pipeline(child.stdout!, output, () => {
      if (child.exitCode === null) killGroup(child)
    })
  }
  // eslint-disable-next-line no-restricted-syntax -- only PATH
  const env = { PATH: process.env.PATH ?? programPath, ...options.env }
  startChild(argv, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd: options.cwd, as: options.as }).then(
    connect,
    (error: Error) => output.destroy(error)
  )
  if (options.signal?.aborted) onAbort()
  return output
}
