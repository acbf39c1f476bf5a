import type { ChildProcess } from 'node:child_process'
import { pipeline, type Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { oomScore, setOomScore } from './oom-score.ts'
import { ProcessError, type Run } from './process.ts'
import { programPath } from './program-path.ts'
import { killGroup, startChild } from './start-child.ts'

/**
 * With a process group of its own, which is killed whole: where only the child is, a grandchild that holds the pipe (git's ssh) keeps
 * the call waiting for ever.
 */
export const run: Run = async ([file, ...args], options) => {
  const { timeoutMs, input, signal, maxOutputBytes = 1024 * 1024 } = options
  // eslint-disable-next-line no-restricted-syntax -- only PATH
  const env = { PATH: process.env.PATH ?? programPath, ...options.env }
  let reason: ProcessError['reason'] | undefined
  let stderr = () => ''
  const problem = (why: ProcessError['reason'], exitCode?: number) =>
    new ProcessError(`${file}: ${describeFailure(why, exitCode, timeoutMs)}`, why, exitCode, stderr())

  if (signal?.aborted) throw problem('aborted')
  const child = await startChild([file, ...args], {
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', options.stderr ?? 'pipe'],
    cwd: options.cwd,
    as: options.as
  })
  setOomScore(child.pid!, oomScore.tool)
  const end = (why: ProcessError['reason']) => {
    reason ??= why
    killGroup(child)
  }
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  const onAbort = () => end('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort() // While it started.
  const tooLong = () => end('output-limit')
  if (child.stderr) stderr = collect(child.stderr, maxOutputBytes, tooLong)
  if (child.stderr && options.onStderrLine) readLines(child.stderr, options.onStderrLine)
  const stdout = options.stdout ? () => '' : collect(child.stdout!, maxOutputBytes, tooLong)
  if (options.stdout) child.stdout!.pipe(options.stdout)
  if (input !== undefined) feed(child, input, () => end('failed'))
  const exitCode = await new Promise<number | undefined>((resolve) =>
    child.once('close', (code) => resolve(code ?? undefined))
  )
  clearTimeout(timer)
  signal?.removeEventListener('abort', onAbort)
  const isWell = exitCode === 0 || (exitCode !== undefined && options.exitCodes?.includes(exitCode))
  if (reason === undefined && isWell) return { stdout: stdout(), stderr: stderr() }
  end('failed')
  throw problem(reason!, exitCode)
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
    'not-started': 'could not be started',
    'output-limit': 'wrote more output than is allowed'
  }
  return sentences[reason]
}
