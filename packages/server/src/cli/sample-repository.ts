import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { mkdir, rm } from 'node:fs/promises'
import type { Run } from '../infra/process/process.ts'
import { startChild } from '../infra/process/start-child.ts'
import { messageOf } from '../text/message-of.ts'

const backend = '/usr/lib/git-core/git-http-backend'

/**
 * Serves the files as the repository `demo/sample` over read-only smart HTTP on a loopback port. The first request makes the repository: most starts of
 * the panel do not use it, and at the first start Git may not be installed yet. A request after a failure tries again.
 */
export async function startSampleRepository(
  files: string,
  stateDirectory: string,
  run: Run
): Promise<{ baseUrl: string; close(): void }> {
  let prepared: Promise<void> | undefined
  const prepare = () =>
    (prepared ??= prepareRepository(files, join(stateDirectory, 'demo', 'sample'), run).catch((error: unknown) => {
      prepared = undefined
      throw error
    }))
  const server = createServer((request, response) => {
    void prepare().then(
      () => serveRequest(stateDirectory, request, response),
      (error: unknown) => response.writeHead(500).end(messageOf(error))
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, close: () => server.close() }
}

async function prepareRepository(files: string, directory: string, run: Run): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 }) // Git does not create parent directories.
  const identity = {
    GIT_AUTHOR_NAME: 'Panel',
    GIT_AUTHOR_EMAIL: 'panel@localhost',
    GIT_COMMITTER_NAME: 'Panel',
    GIT_COMMITTER_EMAIL: 'panel@localhost',
    GIT_CONFIG_GLOBAL: '/dev/null'
  }
  const git = (...args: string[]) =>
    run(['git', `--git-dir=${directory}`, `--work-tree=${files}`, ...args], {
      timeoutMs: 30_000,
      env: identity,
      cwd: files
    })
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '--all')
  await git('commit', '--quiet', '--message=Sample site')
}

function serveRequest(stateDirectory: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  void startChild([backend], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      GIT_PROJECT_ROOT: stateDirectory,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '')
    }
  }).then(
    (child) => {
      child.stdin!.on('error', () => {}) // EPIPE: git may respond before it has read everything.
      request.pipe(child.stdin!)
      return relay(child.stdout!, response).catch(() => response.destroy())
    },
    () => response.writeHead(500).end()
  )
}

/** CGI response: header lines, an empty line, the body. */
async function relay(stdout: NodeJS.ReadableStream, response: ServerResponse): Promise<void> {
  let head = Buffer.alloc(0)
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    if (response.headersSent) {
      response.write(chunk)
      continue
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) continue
    const lines = head.subarray(0, end).toString('latin1').split('\r\n')
    const headers = lines.map((line) => line.split(/: (.*)/s) as [string, string])
    const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200)
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')))
    response.write(head.subarray(end + 4))
  }
  response.end()
}
