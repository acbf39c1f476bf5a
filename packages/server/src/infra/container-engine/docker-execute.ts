import type { Duplex } from 'node:stream'
import { signalWithin } from '../../concurrency/time-limit.ts'
import { AdapterError } from '../adapter-error.ts'
import type { ContainerEngine, Executed } from './container-engine.ts'
import type { EngineCall, TimeLimits } from './docker-call.ts'

interface ExecuteDeps {
  call: EngineCall
  limits: TimeLimits
  /** Ends every process of an exec, which the engine leaves running when its connection closes. */
  endProcess(id: string): Promise<number | undefined>
}

const headerBytes = 8

/** Programs in running containers that read one input and write one output, over the engine's exec. */
export function createExecuteCall({ call, limits, endProcess }: ExecuteDeps): Pick<ContainerEngine, 'execute'> {
  return {
    execute: async (id, { command, input, timeoutMs, maxOutputBytes, signal }) => {
      if (!/^[a-zA-Z0-9][\w.-]*$/.test(id)) throw new TypeError('Invalid id')
      const body = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: false, Cmd: command }
      const create = await call(limits.ordinary, (engine) =>
        engine.ask<{ Id: string }>('POST', `/containers/${id}/exec`, { body })
      )
      const stream = await call(limits.ordinary, (engine) =>
        engine.upgrade(`/exec/${create.Id}/start`, { Tty: false, Detach: false })
      )
      const limit = signalWithin(timeoutMs, ...(signal ? [signal] : []))
      try {
        const output = await conversation(stream, input, maxOutputBytes, limit)
        return { ...output, exitCode: (await endProcess(create.Id)) ?? null }
      } catch (error) {
        await endProcess(create.Id)
        if (signal?.aborted) throw signal.reason
        if (!limit.aborted) throw error
        throw new AdapterError('container-engine-refused', 'The program took too long and was stopped')
      } finally {
        stream.destroy()
      }
    }
  }
}

function conversation(
  stream: Duplex,
  input: string,
  maxBytes: number,
  limit: AbortSignal
): Promise<Pick<Executed, 'stdout' | 'stderr'>> {
  return new Promise((resolve, reject) => {
    const outputs = [createOutput(maxBytes), createOutput(maxErrorBytes)] as const
    let rest = Buffer.alloc(0)
    const stop = () => reject(limit.reason as Error)
    limit.addEventListener('abort', stop, { once: true })
    if (limit.aborted) stop()
    stream.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= headerBytes) {
        const end = headerBytes + rest.readUInt32BE(4)
        // A frame is as large as one write of the program, which it chooses.
        if (end > maxBytes + headerBytes) return reject(tooMuch())
        if (rest.length < end) break
        const isError = rest[0] === 2
        const isKept = outputs[isError ? 1 : 0].add(rest.subarray(headerBytes, end))
        if (!isKept && !isError) return reject(tooMuch())
        rest = rest.subarray(end)
      }
    })
    stream.once('error', reject)
    stream.once('close', () => reject(new AdapterError('container-engine-unavailable', 'The container engine closed the connection'))) // oxfmt-ignore
    stream.once('end', () => {
      limit.removeEventListener('abort', stop)
      resolve({ stdout: outputs[0].text(), stderr: outputs[1].text() })
    })
    stream.end(input)
  })
}

const maxErrorBytes = 64 * 1024
const tooMuch = () => new AdapterError('container-engine-refused', 'The program wrote too much output')

/** `add` resolves with whether there was room. */
function createOutput(maxBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk: Buffer): boolean {
      bytes += chunk.length
      if (bytes > maxBytes) return false
      chunks.push(chunk)
      return true
    },
    text: () => Buffer.concat(chunks).toString('utf8')
  }
}
