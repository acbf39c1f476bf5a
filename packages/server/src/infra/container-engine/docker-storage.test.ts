import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { containerSpec } from '../../../test/contracts/container-engine.contract.ts'
import { createDockerEngine } from './docker.ts'

let server: Server | undefined
afterEach(() => server?.close())

const xfs = {
  point: '/var/lib/docker',
  type: 'xfs',
  source: '/dev/x',
  options: ['rw'],
  superOptions: ['rw', 'prjquota']
}
const refusal = "--storage-opt is supported only for overlay over xfs with 'pquota' mount option"

async function engineOnXfs({ hasQuotas, mount = xfs }: { hasQuotas: boolean; mount?: typeof xfs }) {
  const requested: (string | undefined)[] = []
  const socketPath = join(tmpdir(), `engine-${randomUUID()}.sock`)
  server = createServer(async (request, response) => {
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
    if (request.url?.endsWith('/info'))
      return answer(200, {
        Driver: 'overlay2',
        DriverStatus: [['Backing Filesystem', 'xfs']],
        DockerRootDir: xfs.point
      })
    const { HostConfig } = JSON.parse(await text(request)) as { HostConfig: { StorageOpt?: { size: string } } }
    requested.push(HostConfig.StorageOpt?.size)
    return HostConfig.StorageOpt && !hasQuotas ? answer(500, { message: refusal }) : answer(201, { Id: 'c' })
  })
  await once(server.listen(socketPath), 'listening')
  const findMount = async (path: string) => (path === mount.point ? mount : undefined)
  return { requested, engine: createDockerEngine({ socketPath, findMount }) }
}

const spec = containerSpec({ image: 'i', labels: {}, network: 'n', address: '10.0.0.2', layerBytes: 2 ** 30 })

test('passes the layer limit to an engine that supports it', async () => {
  const { requested, engine } = await engineOnXfs({ hasQuotas: true })
  expect(await engine.createContainer(spec)).toBe('c')
  expect(requested).toEqual(['1073741824'])
})

test('falls back to no limit if the engine rejects it', async () => {
  const { requested, engine } = await engineOnXfs({ hasQuotas: false })
  expect(await engine.createContainer(spec)).toBe('c')
  expect(requested).toEqual(['1073741824', undefined])
})

test('sends no limit on other file systems', async () => {
  const { requested, engine } = await engineOnXfs({ hasQuotas: true, mount: { ...xfs, superOptions: ['rw'] } })
  await engine.createContainer(spec)
  const { layerBytes: _, ...without } = spec
  await engine.createContainer(without)
  expect(requested).toEqual([undefined, undefined])
})
