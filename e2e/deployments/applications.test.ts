import { unwrap } from '@panel/client'
import type { Domain } from '@panel/contract/domains'
import type { ProcessList } from '@panel/contract/processes'
import type { Run, ScheduledJob } from '@panel/contract/runs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Files } from '../support/git-repositories.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { at, type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'

let git: GitHttpServer
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`, PANEL_MOCK_DNS: 'true', BUILD_CONCURRENCY: '2' })
  user = await panel.signUp()
})
afterAll(async () => {
  await panel?.dispose()
  await git?.stop()
})

const addressOf = async ({ id }: Pick<Site, 'id'>) => {
  const [slot] = await panel.query<{ address: string }>(
    'select address from container_slots where project_id = $1 order by created_at desc',
    [id]
  )
  return slot!.address
}
const body = async ({ hostname }: Pick<Site, 'hostname'>, path = '/') => (await panel.visit(hostname, path)).body

test('Python with a database file, a release migration, a worker and a scheduled job', async () => {
  const site = await user.createSite(git, ledger(['create table entries (source text)']), { type: 'PYTHON' })
  await user.mustRun(site.id)
  const show = async () => JSON.parse(await body(site)) as Record<string, number>
  await until(show, ({ worker }) => (worker ?? 0) > 0)
  const job = { name: 'report', schedule: '0 3 * * *', command: 'python3 add.py job' }
  const { id } = await user.call<ScheduledJob>('POST', `/projects/${site.id}/scheduled-jobs`, job)
  const run = await user.call<Run>('POST', `/projects/${site.id}/scheduled-jobs/${id}/run`)
  await until(
    () => user.call<Run>('GET', `/projects/${site.id}/runs/${run.id}`),
    ({ status }) => status === 'SUCCEEDED'
  )
  const { worker, job: fromJob } = await show()
  expect(fromJob).toBe(1)

  const migrations = ['create table entries (source text)', "insert into entries values ('migration')"]
  await git.commit(site.repository, ledger(migrations), 'Second')
  await user.mustRun(site.id)
  const after = await until(show, (entries) => entries.worker! > worker!)
  expect([after.job, after.migration]).toEqual([1, 1])
})

test('a queue that does not speak HTTP, and a worker of another project that finds it by its name', async () => {
  const queue = await user.createSite(git, queueServer, { port: 7000, health: { path: null } })
  await user.mustRun(queue.id)
  const shop = await user.createSite(git, queueClient)
  await user.call('POST', `/projects/${shop.id}/env`, { key: 'QUEUE_HOST', value: queue.name })
  await user.mustRun(shop.id)
  // Until it says so, nobody reaches it.
  expect(await body(shop, '/order/nothing')).toMatch(/ENOTFOUND|EAI_AGAIN/)
  const address = await addressOf(queue)
  expect(await body(shop, `/order/nothing/${address}`)).toMatch(/ETIMEDOUT|timed out/)
  await unwrap(user.api.PUT('/api/projects/{id}', { ...at(queue.id), body: { reachable: true } }))
  await until(
    () => body(shop, '/order/a%20book'),
    (text) => text === 'queued'
  )
  await until(
    () => body(shop, '/done'),
    (text) => text === 'a book\n'
  )
  // The name resolves to the new container after a deployment, and nothing that was queued is lost.
  await git.commit(queue.repository, { 'note.txt': 'second' }, 'Second')
  await user.mustRun(queue.id)
  await until(
    () => body(shop, '/order/a%20pen').catch(() => ''),
    (text) => text === 'queued'
  )
  await until(
    () => body(shop, '/done'),
    (text) => text.includes('a pen')
  )

  const eve = await panel.signUp()
  const other = await eve.createSite(git, queueClient)
  await eve.call('POST', `/projects/${other.id}/env`, { key: 'QUEUE_HOST', value: queue.name })
  await eve.mustRun(other.id)
  expect(await body(other, '/order/nothing')).toMatch(/ENOTFOUND|EAI_AGAIN/)
  expect(await body(other, `/order/nothing/${await addressOf(queue)}`)).toMatch(/ETIMEDOUT|timed out/)
  const { processes } = await user.call<ProcessList>('GET', `/projects/${shop.id}/processes`)
  expect(processes.find(({ name }) => name === 'worker')).toMatchObject({ state: 'RUNNING' })

  // A chat whose instances pass messages on through the queue.
  const chat = await user.createSite(git, chatServer, { instances: 3, stickySessions: true })
  await user.call('POST', `/projects/${chat.id}/env`, { key: 'QUEUE_HOST', value: queue.name })
  await user.mustRun(chat.id)
  const guests = await Promise.all(Array.from({ length: 6 }, () => enter(chat)))
  expect(new Set(guests.map(({ instance }) => instance)).size).toBeGreaterThan(1)
  guests[0]!.socket.send('hello everybody')
  for (const { heard } of guests) await until(async () => heard(), (lines) => lines.includes('hello everybody')) // oxfmt-ignore
  const again = await enter(chat, guests[0]!.cookie)
  expect(again.instance).toBe(guests[0]!.instance)
  for (const { socket } of [...guests, again]) socket.terminate()
})

test('Go, compiled in one stage of a Dockerfile and run alone in another', async () => {
  const site = await user.createSite(git, goSite, { type: 'DOCKERFILE', port: 8080 })
  await user.mustRun(site.id)
  expect(await body(site, '/hello')).toBe('Go says /hello')
})

test('a static site with 200 redirects', async () => {
  const site = await user.createSite(git, { 'index.html': 'the new site' }, { type: 'STATIC' })
  await user.mustRun(site.id)
  const hostname = 'moved.localhost'
  const domain = await user.call<Domain>('POST', '/domains', { hostname, projectId: site.id })
  await user.call('POST', `/domains/${domain.id}/verify?mock=true`)
  const pages = Array.from({ length: 200 }, (_, at) => `/page-${at}`)
  const rules = pages.map((path) => ({ kind: 'REDIRECT', path: `/old${path}.php`, to: path, status: 301 }))
  await user.call('PUT', `/domains/${domain.id}/rules`, { rules, version: 0 })
  const locationOf = async (path: string) => {
    const { status, headers } = await panel.visit(hostname, `/old${path}.php`)
    return status === 301 ? new URL(String(headers.location), `http://${hostname}`).pathname : status
  }
  await until(
    () => locationOf(pages.at(-1)!),
    (location) => location === pages.at(-1)
  )
  for (const path of pages) expect(await locationOf(path)).toBe(path)
  expect(await body({ hostname })).toBe('the new site')
})

interface Guest {
  instance: string
  cookie: string
  socket: WebSocket
  heard(): readonly string[]
}

/** The first message names the instance. */
async function enter({ hostname }: Site, cookie?: string): Promise<Guest> {
  const { headers } = await panel.visit(hostname, '/', cookie === undefined ? {} : { cookie })
  const own = cookie ?? String(headers['set-cookie']).split(';')[0]!
  const socket = new WebSocket(`ws://127.0.0.1:${panel.proxyPort}/`, { headers: { host: hostname, cookie: own } })
  const lines: string[] = []
  socket.on('message', (data: Buffer) => lines.push(data.toString()))
  socket.on('error', (error) => lines.push(error.message))
  const [instance] = await until(
    async () => lines,
    ({ length }) => length > 0
  )
  return { instance: instance!, cookie: own, socket, heard: () => lines }
}

const nodeProject = (more: object = {}) => ({
  'package.json': JSON.stringify({ name: 'app', private: true, type: 'module', ...more })
})

/** The release command applies those migrations that were not applied yet. */
function ledger(migrations: readonly string[]): Files {
  return {
    'requirements.txt': '',
    Procfile: 'web: python3 web.py\nworker: python3 worker.py\nrelease: python3 migrate.py\n',
    'store.py': `
import sqlite3
def open_store():
    return sqlite3.connect('/data/ledger.sqlite', timeout=30, isolation_level=None)
`,
    'migrate.py': `
from store import open_store
store = open_store()
for at, statement in enumerate(${JSON.stringify(migrations)}):
    if at >= store.execute('pragma user_version').fetchone()[0]:
        store.execute(statement)
        store.execute(f'pragma user_version = {at + 1}')
        print('applied', statement)
`,
    'add.py': `
import sys
from store import open_store
open_store().execute('insert into entries values (?)', [sys.argv[1]])
`,
    'worker.py': `
import time
from store import open_store
while True:
    open_store().execute("insert into entries values ('worker')")
    time.sleep(1)
`,
    'web.py': `
import json, os
from http.server import BaseHTTPRequestHandler, HTTPServer
from store import open_store
class Ledger(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        rows = open_store().execute('select source, count(*) from entries group by source').fetchall()
        self.wfile.write(json.dumps(dict(rows)).encode())
HTTPServer(('0.0.0.0', int(os.environ['PORT'])), Ledger).serve_forever()
`
  }
}

/** Like Redis: \`push\` and \`pop\` of a list that is kept in a file, and \`publish\` to all connections. */
const queueServer: Files = {
  ...nodeProject({ scripts: { start: 'node server.js' } }),
  'server.js': `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
const file = '/data/queue'
const clients = new Set()
const read = () => { try { return readFileSync(file, 'utf8').split('\\n').filter(Boolean) } catch { return [] } }
createServer((socket) => {
  clients.add(socket)
  socket.on('close', () => clients.delete(socket))
  socket.on('error', () => {})
  createInterface({ input: socket }).on('line', (line) => {
    const [, verb, text] = /^(\\w+) ?(.*)$/.exec(line) ?? []
    if (verb === 'push') { appendFileSync(file, text + '\\n'); socket.write('ok\\n') }
    else if (verb === 'pop') {
      const [first = '', ...rest] = read()
      writeFileSync(file, rest.map((each) => each + '\\n').join(''))
      socket.write(first + '\\n')
    } else if (verb === 'publish') for (const client of clients) client.write(text + '\\n')
    else socket.end('-ERR unknown command\\n')
  })
}).listen(process.env.PORT, '0.0.0.0')
process.on('SIGTERM', () => process.exit(0))
`
}

const askQueue = `
import { connect } from 'node:net'
export const ask = (line, host = process.env.QUEUE_HOST) =>
  new Promise((resolve, reject) => {
    const socket = connect(7000, host, () => socket.write(line + '\\n'))
    socket.setTimeout(3000, () => socket.destroy(new Error('timed out')))
    socket.once('data', (data) => { resolve(data.toString().trim()); socket.destroy() })
    socket.once('error', reject)
  })
`

const queueClient: Files = {
  ...nodeProject(),
  Procfile: 'web: node web.js\nworker: node worker.js\n',
  'ask.js': askQueue,
  'web.js': `
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { ask } from './ask.js'
createServer(async (request, response) => {
  try {
    const [, verb, text, host] = request.url.split('/')
    if (verb === 'order') { await ask('push ' + decodeURIComponent(text), host); response.end('queued') }
    else if (verb === 'done') response.end(readFileSync('/data/done', 'utf8'))
    else response.end('shop')
  } catch (error) { response.end(String(error)) }
}).listen(process.env.PORT, '0.0.0.0')
`,
  'worker.js': `
import { appendFileSync } from 'node:fs'
import { ask } from './ask.js'
for (;;) {
  const order = await ask('pop').catch(() => '')
  if (order !== '') appendFileSync('/data/done', order + '\\n')
  else await new Promise((resolve) => setTimeout(resolve, 200))
}
`
}

const chatServer: Files = {
  ...nodeProject({ scripts: { start: 'node server.js' }, dependencies: { ws: '8.18.0' } }),
  'server.js': `
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { WebSocketServer } from 'ws'
const server = createServer((_, response) => response.end('chat'))
const guests = new WebSocketServer({ server })
const queue = connect(7000, process.env.QUEUE_HOST)
createInterface({ input: queue }).on('line', (line) => { for (const guest of guests.clients) guest.send(line) })
guests.on('connection', (guest) => {
  guest.send(process.env.HOSTNAME)
  guest.on('message', (text) => queue.write('publish ' + text + '\\n'))
})
server.listen(process.env.PORT, '0.0.0.0')
`
}

/** With the compiler of Debian, as there is no registry for the official image. */
const goSite: Files = {
  Dockerfile: `FROM node:24-trixie-slim AS build
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends golang-go
WORKDIR /src
COPY go.mod main.go ./
RUN CGO_ENABLED=0 GOCACHE=/tmp/cache go build -o /site .

FROM scratch
COPY --from=build /site /site
EXPOSE 8080
ENTRYPOINT ["/site"]
`,
  'go.mod': 'module example.com/site\n\ngo 1.19\n',
  'main.go': `package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		fmt.Fprintf(response, "Go says %s", request.URL.Path)
	})
	if err := http.ListenAndServe(":"+os.Getenv("PORT"), nil); err != nil {
		panic(err)
	}
}
`
}
