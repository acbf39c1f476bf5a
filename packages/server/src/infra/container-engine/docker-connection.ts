import { type Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import type { Readable } from 'node:stream'
import { EngineError } from './container-engine.ts'
import { unavailable } from './engine-unavailable.ts'

type Method = 'GET' | 'POST' | 'DELETE'

interface EngineRequest {
  /** Objects are sent as JSON, arrays as one parameter for each member. */
  query?: Readonly<Record<string, unknown>>
  /** Sent as JSON, or as the tar stream that it is. */
  body?: object | Readable
}

/**
 * The engine's API over its socket, which is plain HTTP. Whatever is no 2xx rejects with EngineError and the engine's own sentence; errors of
 * the socket come as they are. Ids and names are put into paths as they are: the caller has checked them.
 */
export interface EngineConnection {
  /** The JSON of the answer; undefined where there is none. */
  ask<T>(method: Method, path: string, request?: EngineRequest): Promise<T>
  /** The answer as it comes. */
  open(method: Method, path: string, request?: EngineRequest): Promise<IncomingMessage>
}

export function createEngineConnection(socketPath: string, agent: Agent): EngineConnection {
  const open = async (method: Method, path: string, request: EngineRequest = {}) => {
    const answer = await send({ socketPath, agent, method, path: `${path}${queryOf(request)}` }, request.body)
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    throw new EngineError(sentenceOf(await textOf(answer), status), status)
  }
  return {
    open,
    async ask<T>(method: Method, path: string, request?: EngineRequest) {
      const text = await textOf(await open(method, path, request))
      return (text === '' ? undefined : JSON.parse(text)) as T
    }
  }
}

interface Target {
  socketPath: string
  agent: Agent
  method: Method
  path: string
}

function send(target: Target, body: object | Readable | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const stream = body !== undefined && 'pipe' in body ? body : undefined
    const json = body === undefined || stream ? undefined : JSON.stringify(body)
    const headers = {
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

// A list of a thousand containers, or of ten thousand images, is a tenth of it.
const maxAnswerMiB = 64

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8')
  let text = ''
  for await (const chunk of answer as AsyncIterable<string>) {
    text += chunk
    if (text.length > maxAnswerMiB * 2 ** 20)
      throw unavailable(`The container engine's answer is longer than ${maxAnswerMiB} MiB`)
  }
  return text
}

/** The engine refuses with `{"message": "…"}`. */
function sentenceOf(body: string, status: number): string {
  try {
    const answer: unknown = JSON.parse(body)
    if (typeof answer === 'object' && answer !== null && 'message' in answer) return String(answer.message)
  } catch {
    // Not JSON: the text is the sentence.
  }
  return body.trim() || `The container engine answered with ${status}`
}
