import { type Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { EngineError } from './container-engine.ts'
import { unavailable } from './engine-unavailable.ts'

type Method = 'GET' | 'POST' | 'DELETE'

interface EngineRequest {
  /** Objects are sent as JSON, arrays as repeated parameters. */
  query?: Readonly<Record<string, unknown>>
  body?: object | Readable
  headers?: Readonly<Record<string, string>>
}

/** Non-2xx responses reject with EngineError. Callers must have checked ids and names: paths are not escaped. */
export interface EngineConnection {
  ask<T>(method: Method, path: string, request?: EngineRequest): Promise<T>
  open(method: Method, path: string, request?: EngineRequest): Promise<IncomingMessage>
  /** Switches the connection to a stream in both directions, which the caller closes. */
  upgrade(path: string, body: object): Promise<Duplex>
}

export function createEngineConnection(socketPath: string, agent: Agent): EngineConnection {
  const open = async (method: Method, path: string, request: EngineRequest = {}) => {
    const answer = await send({ socketPath, agent, method, path: `${path}${queryOf(request)}` }, request)
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    throw new EngineError(errorMessageOf(await textOf(answer), status), status)
  }
  return {
    open,
    async ask<T>(method: Method, path: string, request?: EngineRequest) {
      const text = await textOf(await open(method, path, request))
      return (text === '' ? undefined : JSON.parse(text)) as T
    },
    upgrade: (path, body) => upgrade({ socketPath, agent, method: 'POST', path }, JSON.stringify(body))
  }
}

function upgrade(target: Target, json: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(json),
      Connection: 'Upgrade',
      Upgrade: 'tcp'
    }
    const request = httpRequest({ ...target, headers })
    request.once('upgrade', (_answer, socket, head) => {
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    request.once('response', (answer) => {
      const status = answer.statusCode ?? 0
      textOf(answer).then((text) => reject(new EngineError(errorMessageOf(text, status), status)), reject)
    })
    request.on('error', reject)
    request.end(json)
  })
}

interface Target {
  socketPath: string
  agent: Agent
  method: Method
  path: string
}

function send(target: Target, { body, headers: given }: EngineRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const stream = body !== undefined && 'pipe' in body ? body : undefined
    const json = body === undefined || stream ? undefined : JSON.stringify(body)
    const headers = {
      ...given,
      ...(stream ? { 'Content-Type': 'application/x-tar' } : {}),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) })
    }
    const request = httpRequest({ ...target, headers })
    request.once('response', resolve)
    request.on('error', reject)
    if (stream) {
      stream.once('error', (error) => request.destroy(error))
      stream.pipe(request)
    } else {
      request.end(json)
    }
  })
}

function queryOf({ query = {} }: EngineRequest): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat())
      parameters.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each))
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

const maxAnswerMiB = 64

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8')
  let text = ''
  for await (const chunk of answer as AsyncIterable<string>) {
    text += chunk
    if (text.length > maxAnswerMiB * 2 ** 20)
      throw unavailable(`The response of the container engine exceeds ${maxAnswerMiB} MiB`)
  }
  return text
}

/** Error bodies are `{"message": "…"}`. */
function errorMessageOf(body: string, status: number): string {
  try {
    const answer: unknown = JSON.parse(body)
    if (typeof answer === 'object' && answer !== null && 'message' in answer) return String(answer.message)
  } catch {
    // Not JSON: use the body as the message.
  }
  return body.trim() || `The container engine responded with status ${status}`
}
