import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FileList } from '@panel/contract/files'
import { bytesOf, upload } from '../e2e/support/transfer.ts'
import { median, report } from './figures.ts'
import { serve } from './serve.ts'
import { step } from './step.ts'
import { freePort } from '../packages/server/test/support/ports.ts'

const execute = promisify(execFile)
const size = 100 * 1024 * 1024
const chunk = randomBytes(1024 * 1024)
const rounds = 7

/** 100 MB up and down and a listing of 10,000 files, against a bare node:http server that streams to and from disk, and against find. */
export async function benchFiles(): Promise<void> {
  const panel = await serve()
  const port = await freePort()
  const bareUrl = `http://127.0.0.1:${port}/`
  const bare = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('bare-file-server.ts', import.meta.url))],
    {
      env: { ...process.env, PORT: String(port), FILE: join(panel.dataDir, 'bare') },
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  try {
    await once(bare.stdout, 'data')
    const { cookie, projectId } = await createProject(panel.url)
    const directory = join(panel.dataDir, 'workspaces/projects/by-id', projectId, 'many')
    await step('creating 10,000 files', async () => {
      await mkdir(directory)
      for (let n = 0; n < 10_000; n++) await writeFile(join(directory, `file-${n}.txt`), '')
    })
    let listed = ''
    const operations = {
      'upload of 100 MB, panel': async () => {
        const sent = await upload(panel, { cookie }, projectId, { name: 'a', size, content: bytesOf(size, chunk) })
        if (sent.status !== 201) throw new Error(JSON.stringify(sent))
      },
      'upload of 100 MB, bare': () => post(bareUrl),
      'download of 100 MB, panel': () => get(`${panel.url}/api/files/${projectId}/download?path=a`, cookie),
      'download of 100 MB, bare': () => get(bareUrl, ''),
      'list of 10,000 files, panel': async () => {
        const url = `${panel.url}/api/files/${projectId}/list?path=many&limit=10000`
        // Without what a client takes to parse it: find's lines are not parsed either.
        listed = await (await fetch(url, { headers: { cookie } })).text()
      },
      'list of 10,000 files, find': async () => {
        const format = '%f\t%P\t%y\t%s\t%T@\t%m\n'
        await execute('find', [directory, '-mindepth', '1', '-printf', format], { maxBuffer: 16 * 1024 * 1024 })
      }
    }
    const milliseconds = new Map<string, number[]>(Object.keys(operations).map((name) => [name, []]))
    // Interleaved, after one round to warm up, so that noise meets all alike.
    for (let round = 0; round <= rounds; round++)
      await step(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`, async () => {
        for (const [name, operation] of Object.entries(operations)) {
          const started = performance.now()
          await operation()
          if (round > 0) milliseconds.get(name)!.push(performance.now() - started)
        }
      })
    const { nodes } = JSON.parse(listed) as FileList
    if (nodes.length !== 10_000) throw new Error(`${nodes.length} files`)
    const of = (name: string) => median(milliseconds.get(name)!)
    for (const name of Object.keys(operations)) report(name, `${of(name).toFixed(0)} ms`)
    for (const what of ['upload', 'download'])
      report(`${what}, speed of the panel to bare`, '', {
        value: of(`${what} of 100 MB, bare`) / of(`${what} of 100 MB, panel`),
        aim: '>= 0.8x'
      })
    report('list, time of the panel to find', '', {
      value: of('list of 10,000 files, panel') / of('list of 10,000 files, find')
    })
  } finally {
    bare.kill()
    await panel.stop()
  }
}

async function createProject(url: string): Promise<{ cookie: string; projectId: string }> {
  const password = 'correct horse battery'
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body)
    })
  const registered = await post('/auth/register', {
    name: 'a',
    email: 'a@example.com',
    password,
    confirmPassword: password
  })
  const cookie = registered.headers.get('set-cookie')!.split(';')[0]!
  const { id } = (await (await post('/projects', { name: 'files', type: 'STATIC' }, cookie)).json()) as { id: string }
  return { cookie, projectId: id }
}

async function post(url: string): Promise<void> {
  const call = request(url, { method: 'POST', headers: { 'content-length': size } })
  const answered = once(call, 'response') as Promise<[import('node:http').IncomingMessage]>
  await pipeline(Readable.from(bytesOf(size, chunk), { objectMode: false }), call)
  const [response] = await answered
  response.resume()
  await once(response, 'end')
}

async function get(url: string, cookie: string): Promise<void> {
  const call = request(url, { headers: { cookie } })
  call.end()
  const [response] = (await once(call, 'response')) as [import('node:http').IncomingMessage]
  let bytes = 0
  for await (const part of response) bytes += (part as Buffer).length
  if (bytes !== size) throw new Error(`${bytes} bytes`)
}
