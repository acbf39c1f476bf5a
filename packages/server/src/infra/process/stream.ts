import { spawn } from 'node:child_process'
import { pipeline, type Readable, Transform } from 'node:stream'
import { oomScore, setOomScore } from './oom-score.ts'
import { ProcessError } from './process.ts'
import { programPath, resolveProgram } from './program-path.ts'

interface StreamOptions {
  timeoutMs: number
  /** The complete environment of the child, besides PATH. */
  env: Record<string, string>
  /** More bytes of output than this destroy the stream. */
  maxBytes: number
  signal?: AbortSignal
}

const maxStderrLength = 64 * 1024

/**
 * Standard output of a program as a stream, for output too large to keep. It ends only after the program has exited with 0; any
 * other end, the time limit, the byte limit and an abort destroy it with a ProcessError. Destroying it kills the process group.
 */
export function spawnStream([file, ...args]: readonly [string, ...string[]], options: StreamOptions): Readable {
  // eslint-disable-next-line no-restricted-syntax -- only PATH
  const env = { PATH: process.env.PATH ?? programPath, ...options.env }
  const child = spawn(resolveProgram(file, env.PATH), args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env
  })
  if (child.pid !== undefined) setOomScore(child.pid, oomScore.tool)
  let stderr = ''
  let bytes = 0
  let exitCode: number | null = null
  const fail = (text: string, reason: ProcessError['reason']) =>
    new ProcessError(`${file}: ${text}`, reason, exitCode ?? undefined, stderr)
  const closed = new Promise<ProcessError | undefined>((resolve) => {
    child.once('error', () => resolve(fail('is not installed', 'missing')))
    child.once('close', (code) => {
      exitCode = code
      resolve(code === 0 ? undefined : fail(`exited with ${code ?? 'a signal'}`, 'failed'))
    })
  })
  const output = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > options.maxBytes) done(fail(`wrote more than ${options.maxBytes} bytes`, 'output-limit'))
      else done(null, chunk)
    },
    flush(done) {
      void closed.then((problem) => done(problem ?? null))
    }
  })
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    stderr = (stderr + text).slice(0, maxStderrLength)
  })
  const timer = setTimeout(
    () => output.destroy(fail(`took longer than ${options.timeoutMs} ms`, 'timeout')),
    options.timeoutMs
  )
  const onAbort = () => output.destroy(fail('was cancelled', 'aborted'))
  options.signal?.addEventListener('abort', onAbort, { once: true })
  pipeline(child.stdout, output, () => {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', onAbort)
    if (child.pid === undefined || child.exitCode !== null) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group is gone already, which is what was asked for.
    }
  })
  if (options.signal?.aborted) onAbort()
  return output
}
