import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createGitRepositories, type GitRepositories } from './git-repositories.ts'

export interface GitHttpServer extends Omit<GitRepositories, 'remove'> {
  /** `http://<address>:<port>`; repository `owner/app` is at `<baseUrl>/owner/app.git` and `<baseUrl>/owner/app`. */
  baseUrl: string
  port: number
  /** URL of a repository with one of the server's behaviours. */
  url(name: string, behaviour?: Behaviour): string
  /** Requested paths since the start. */
  requests: readonly string[]
  stop(): Promise<void>
}

/**
 * `plain`: smart HTTP v2. `version0`: without v2, branch heads only. `private`: 401 without credentials, as providers
 * respond for private and missing repositories. `redirect`: 301 to the plain URL. `hang`: never responds. `stall`:
 * stops within the pack. `slow`: sends the pack in small pieces.
 */
type Behaviour = 'plain' | 'version0' | 'private' | 'redirect' | 'hang' | 'stall' | 'slow'

const backend = '/usr/lib/git-core/git-http-backend'
const behaviours: readonly string[] = ['version0', 'private', 'redirect', 'hang', 'stall', 'slow'] satisfies Behaviour[]
const slowPiece = { bytes: 16 * 1024, everyMs: 20 }

/** A real git server (`git http-backend` as CGI) on a free port. */
export async function startGitHttpServer(address = '127.0.0.1'): Promise<GitHttpServer> {
  const repositories = await createGitRepositories()
  const requests: string[] = []
  const children = new Set<{ kill(signal: NodeJS.Signals): boolean }>()

  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.on('error', () => {})
    const [, first = ''] = (request.url ?? '').split('/')
    const behaviour = (behaviours.includes(first) ? first : 'plain') as Behaviour
    const target = behaviour === 'plain' ? (request.url ?? '/') : (request.url ?? '').slice(first.length + 1)
    answer(behaviour, target, request, response).catch((error: unknown) => response.destroy(error as Error))
  })

  async function answer(behaviour: Behaviour, target: string, request: IncomingMessage, response: ServerResponse) {
    if (behaviour === 'hang') return
    if (behaviour === 'redirect') {
      response.writeHead(301, { location: `${baseUrl}${target}` }).end()
    } else if (behaviour === 'private') {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    } else {
      await runBackend(behaviour, target, request, response)
    }
  }

  async function runBackend(behaviour: Behaviour, target: string, request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(target, 'http://localhost')
    const child = spawn(backend, [], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        HOME: '/nonexistent',
        GIT_PROJECT_ROOT: repositories.root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
        ...(behaviour === 'version0' ? {} : { GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') })
      }
    })
    children.add(child)
    child.once('close', () => children.delete(child))
    child.once('error', (error) => response.destroy(error))
    response.once('close', () => child.kill('SIGKILL'))
    child.stdin.on('error', () => {}) // The backend may respond before it has read the whole body.
    request.pipe(child.stdin)
    const output: Buffer[] = []
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) output.push(chunk)
    await send(behaviour, Buffer.concat(output), response)
  }

  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://${address}:${port}`
  const { remove, ...rest } = repositories
  return {
    ...rest,
    baseUrl,
    port,
    requests,
    url: (name, behaviour = 'plain') => `${baseUrl}${behaviour === 'plain' ? '' : `/${behaviour}`}/${name}.git`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      for (const child of children) child.kill('SIGKILL')
      await remove()
    }
  }
}

async function send(behaviour: Behaviour, output: Buffer, response: ServerResponse): Promise<void> {
  const end = output.indexOf('\r\n\r\n')
  const headers = output
    .subarray(0, Math.max(end, 0))
    .toString()
    .split('\r\n')
    .map((line) => line.split(': ') as [string, string])
  const status = headers.find(([name]) => name === 'Status')?.[1]
  response.writeHead(
    end < 0 ? 500 : parseInt(status ?? '200', 10),
    Object.fromEntries(headers.filter(([name]) => name !== 'Status'))
  )
  const body = output.subarray(end + 4)
  const isPack = body.includes('PACK')
  if (isPack && behaviour === 'stall') {
    response.write(body.subarray(0, Math.floor(body.length / 2)))
  } else if (isPack && behaviour === 'slow') {
    for (let offset = 0; offset < body.length && !response.destroyed; offset += slowPiece.bytes) {
      response.write(body.subarray(offset, offset + slowPiece.bytes))
      await delay(slowPiece.everyMs)
    }
    response.end()
  } else {
    response.end(body)
  }
}
