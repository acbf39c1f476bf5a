import { type ChildProcess, spawn } from 'node:child_process'
import { pipeline, type Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { oomScore, setOomScore } from './oom-score.ts'
import { ProcessError, type Run } from './process.ts'
import { programPath, resolveProgram } from './program-path.ts'

/**
 * With a process group of its own, which is killed whole: where only the child is, a grandchild that holds the pipe (git's ssh) keeps
 * the call waiting for ever.
 */
export const run: Run = async ([file, ...args], options) => {
  const { timeoutMs, input, signal, maxOutputBytes = 1024 * 1024 } = options
  // eslint-disable-next-line no-restricted-syntax -- only PATH
  const env = { PATH: process.env.PATH ?? programPath, ...options.env }
  let reason: ProcessError['reason'] | undefined
  let exitCode: number | undefined
  let stderr = () => ''
  const problem = (why: ProcessError['reason']) =>
    new ProcessError(`${file}: ${describeFailure(why, exitCode, timeoutMs)}`, why, exitCode, stderr())

  let child: ChildProcess
  try {
    child = spawn(resolveProgram(file, env.PATH), args, {
      detached: true,
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd })
    })
  } catch {
    throw problem('failed') // Arguments that no program can be given.
  }
  if (child.pid !== undefined) setOomScore(child.pid, oomScore.tool)
  const killGroup = (why: ProcessError['reason']) => {
    reason ??= why
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group is gone already, which is what was asked for.
    }
  }
  const timer = setTimeout(() => killGroup('timeout'), timeoutMs)
  const onAbort = () => killGroup('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const tooLong = () => killGroup('output-limit')
  stderr = collect(child.stderr!, maxOutputBytes, tooLong)
  if (options.onStderrLine) readLines(child.stderr!, options.onStderrLine)
  const stdout = options.stdout ? () => '' : collect(child.stdout!, maxOutputBytes, tooLong)
  if (options.stdout) child.stdout!.pipe(options.stdout)
  if (input !== undefined) feed(child, input, () => killGroup('failed'))
  try {
    exitCode = (await ended) ?? undefined
  } catch (error) {
    throw problem(error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'missing' : 'failed')
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  if (reason === undefined && exitCode === 0) return { stdout: stdout(), stderr: stderr() }
  killGroup('failed')
  throw problem(reason!)
}

/** What the stream has said so far, and no more than this. */
function collect(stream: Readable, maxBytes: number, onTooLong: () => void): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) onTooLong()
    else chunks.push(chunk)
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split(/\r?\n/)
    rest = lines.pop()!
    for (const line of lines) onLine(line)
  })
  stream.once('end', () => {
    rest += decoder.end()
    if (rest !== '') onLine(rest)
  })
}

/** A program need not read all it is given. One whose input breaks off must not take a part of it for the whole. */
function feed(child: ChildProcess, input: string | Readable, onBroken: () => void): void {
  const stdin = child.stdin!
  if (typeof input === 'string') {
    stdin.on('error', () => {}) // It has closed it.
    stdin.end(input)
    return
  }
  pipeline(input, stdin, (error) => {
    const isOver = child.exitCode !== null || child.signalCode !== null
    if (error && error.code !== 'EPIPE' && !isOver) onBroken()
  })
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
