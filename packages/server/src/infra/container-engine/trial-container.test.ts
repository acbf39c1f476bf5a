import { createServer, type RequestListener, type Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trialProblem } from '../../programs/container-engine.ts'
import { runTrialContainer } from './trial-container.ts'

// Simulates an engine on a kernel with AppArmor but without its tools, and one that hangs.
let directory: string
let socketPath: string
let server: Server
let requests: string[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-trial-'))
  socketPath = join(directory, 'docker.sock')
  requests = []
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(directory, { recursive: true })
})

async function listen(answer: RequestListener): Promise<void> {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url!.split('?')[0]!.replace(/trial-\w+/, 'trial')}`)
    answer(request, response)
  })
  await once(server.listen(socketPath), 'listening')
}

const created = 'POST /containers/create'
const removed = 'DELETE /containers/panel-trial'

test('missing AppArmor tools are reported with the package to install, and the container is removed', async () => {
  const message =
    'failed to create task for container: AppArmor enabled on system but the docker-default profile could not be loaded: ' +
    'running `/usr/sbin/apparmor_parser apparmor_parser -Kr` failed with output: : exec: "apparmor_parser": executable file not found in $PATH'
  await listen((request, response) => {
    response.statusCode = request.url!.includes('/start') ? 500 : request.method === 'DELETE' ? 204 : 201
    response.end(JSON.stringify(response.statusCode === 500 ? { message } : { Id: 'x' }))
  })
  const images = {
    BUILD_IMAGE_STATIC: 'a:1',
    BUILD_IMAGE_NODE: 'b:1',
    BUILD_IMAGE_PYTHON: 'c:1',
    BUILD_IMAGE_PHP: 'd:1'
  }
  const there = { findImage: async (name: string) => (name === 'b:1' ? ({} as never) : undefined) }
  expect(await trialProblem({ ...images, DOCKER_SOCKET: socketPath }, there)).toEqual({
    remedy: expect.stringContaining('apt-get install apparmor')
  })
  expect(requests).toEqual([created, 'POST /containers/panel-trial/start', removed])
  expect(await trialProblem({ ...images, DOCKER_SOCKET: socketPath }, { findImage: async () => undefined })).toEqual({
    advice: expect.any(String)
  })
})

test('times out on an engine that never responds, and removes the container', async () => {
  await listen((request, response) => request.method === 'DELETE' && response.writeHead(204).end())
  await expect(runTrialContainer({ socketPath, image: 'a:1', timeoutMs: 50 })).rejects.toThrow()
  expect(requests).toEqual([created, removed])
})
