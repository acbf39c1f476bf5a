import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSupervised, type SupervisedPanel } from './supervised.ts'

let directory: string
let panel: SupervisedPanel | undefined
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-supervised-'))
})
afterEach(async () => {
  panel?.signal('SIGKILL')
  await panel?.ended
  panel = undefined
  await rm(directory, { recursive: true })
})

/** A version whose `panel` runs this code. */
async function version(code: string): Promise<SupervisedPanel> {
  await writeFile(join(directory, 'main.mjs'), code)
  await writeFile(join(directory, 'panel'), `#!/bin/sh\nexec '${process.execPath}' '${directory}/main.mjs' "$@"\n`)
  await chmod(join(directory, 'panel'), 0o755)
  panel = await startSupervised(directory, ['up'], process.env)
  return panel
}

const listening = (status: number, then: string) => `
import { createServer } from 'node:http'
const server = createServer((request, response) => response.writeHead(request.url === '/api/health' ? ${status} : 404).end())
server.listen(0, '127.0.0.1', () => {
  process.send({ ready: { host: '127.0.0.1', port: server.address().port } })
  ${then}
})`

test('a version that answers its health check serves, and stops on a signal', async () => {
  const { ended, serving, signal } = await version(listening(200, ''))
  await serving()
  signal('SIGTERM')
  expect(await ended).toBe(1)
})

test('a version that exits is refused with its last line', async () => {
  const { serving } = await version(`console.error('first'); console.error('panel: no such table'); process.exit(3)`)
  await expect(serving()).rejects.toThrow(/status 3.*no such table/)
})

test('a version that exits after it reported itself is refused', async () => {
  const { serving } = await version(listening(503, 'process.exit(4)'))
  await expect(serving()).rejects.toThrow(/status 4/)
})

test('a version that cannot be started is refused', async () => {
  await expect(startSupervised(join(directory, 'missing'), ['up'], process.env)).rejects.toThrow()
})

test('a version ends when its supervisor was killed', async () => {
  const source = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const pidFile = join(directory, 'pid')
  await writeFile(
    join(directory, 'main.mts'),
    `import { writeFileSync } from 'node:fs'
import { endWithSupervisor } from ${JSON.stringify(source('supervised.ts'))}
endWithSupervisor(process.env)
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))
setInterval(() => {}, 1000)`
  )
  const tsx = fileURLToPath(import.meta.resolve('tsx'))
  await writeFile(
    join(directory, 'panel'),
    `#!/bin/sh\nexec '${process.execPath}' --import '${tsx}' '${directory}/main.mts'\n`
  )
  await chmod(join(directory, 'panel'), 0o755)
  const code = `import { startSupervised } from ${JSON.stringify(source('supervised.ts'))}
await startSupervised(${JSON.stringify(directory)}, ['up'], process.env)`
  await writeFile(join(directory, 'supervisor.mts'), code)
  const supervisor = spawn(process.execPath, ['--import', tsx, join(directory, 'supervisor.mts')], { stdio: 'ignore' })
  await expect.poll(() => readFile(pidFile, 'utf8').catch(() => ''), { timeout: 30_000 }).toMatch(/^\d+$/)
  const pid = Number(await readFile(pidFile, 'utf8'))
  supervisor.kill('SIGKILL')
  await once(supervisor, 'exit')
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
