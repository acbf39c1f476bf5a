import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs the engine's own client, which is independent of ours. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await execute('/usr/bin/docker', args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

export async function buildImage(tag: string, dockerfile: string): Promise<void> {
  const env = { ...process.env, DOCKER_BUILDKIT: '0' }
  const child = execute('/usr/bin/docker', ['build', '--quiet', '--tag', tag, '-'], { env })
  child.child.stdin!.end(dockerfile)
  await child
}

/** All objects with the label. Uses the API, because the client is slow to start and this is polled. */
export async function findObjects(label: string) {
  const filters = { label: [label] }
  const [containers, images, { Volumes: volumes }, networks] = await Promise.all([
    ask<{ Id: string }[]>('/containers/json', { all: 'true', filters: JSON.stringify(filters) }),
    ask<{ Id: string }[]>('/images/json', { all: 'true', filters: JSON.stringify(filters) }),
    ask<{ Volumes: { Name: string }[] | null }>('/volumes', { filters: JSON.stringify(filters) }),
    ask<{ Id: string }[]>('/networks', { filters: JSON.stringify(filters) })
  ])
  // Sorted, because the engine's order within one second is undefined.
  return {
    containers: idsOf(containers).sort(),
    images: [...new Set(idsOf(images))].sort(),
    volumes: (volumes ?? []).map(({ Name }) => Name).sort(),
    networks: idsOf(networks).sort()
  }
}

const idsOf = (objects: readonly { Id: string }[]): string[] => objects.map(({ Id }) => Id)

function ask<T>(path: string, query: Record<string, string>): Promise<T> {
  return new Promise((resolve, reject) => {
    const options = { socketPath: '/var/run/docker.sock', path: `${path}?${new URLSearchParams(query)}`, agent: false }
    const request = get({ ...options, timeout: 120_000 }, (response) => {
      text(response).then((body) => {
        if (response.statusCode === 200) resolve(JSON.parse(body) as T)
        else reject(new Error(`${path}: ${response.statusCode} ${body}`))
      }, reject)
    })
    request.on('timeout', () => request.destroy(new Error('the engine does not answer')))
    request.on('error', reject)
  })
}

/** Texts that occur in any file of any layer or in the image configuration. */
export async function textsInImage(reference: string, texts: readonly string[]): Promise<string[]> {
  const [file, ...args] = await archiverOf(reference)
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const longest = Math.max(...texts.map((text) => Buffer.byteLength(text)))
  const found = new Set<string>()
  let bytes = 0
  let tail = Buffer.alloc(0)
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    const window = Buffer.concat([tail, chunk])
    for (const wanted of texts) if (window.includes(wanted)) found.add(wanted)
    tail = window.subarray(-longest)
    bytes += chunk.length
  }
  const [code] = (await ended) as [number | null]
  if (code !== 0 || bytes < 1_000_000) throw new Error(`${file} ended with ${code} after ${bytes} bytes`)
  return [...found]
}

/** Reads layer directories directly where possible, because exporting is much slower. */
async function archiverOf(reference: string): Promise<[string, ...string[]]> {
  const [image] = JSON.parse(await docker('image', 'inspect', reference)) as [
    { Id: string; GraphDriver: { Name: string; Data: { UpperDir: string; LowerDir?: string } | null } }
  ]
  const { Name, Data } = image.GraphDriver
  if (Name !== 'overlay2' || Data === null) return ['/usr/bin/docker', 'save', reference]
  const root = await docker('info', '--format', '{{.DockerRootDir}}')
  const configuration = `${root}/image/overlay2/imagedb/content/${image.Id.replace(':', '/')}`
  const layers = [Data.UpperDir, ...(Data.LowerDir?.split(':') ?? [])]
  return ['tar', '--create', '--absolute-names', '--file=-', configuration, ...layers]
}

export const runningContainers = async (label: string): Promise<string[]> =>
  idsOf(await ask('/containers/json', { filters: JSON.stringify({ label: [label] }) }))

export async function removeObjects(label: string): Promise<void> {
  const found = await findObjects(label)
  if (found.containers.length > 0) await docker('rm', '--force', '--volumes', ...found.containers).catch(() => {})
  if (found.volumes.length > 0) await docker('volume', 'rm', '--force', ...found.volumes).catch(() => {})
  if (found.networks.length > 0) await docker('network', 'rm', ...found.networks).catch(() => {})
  // Parent images can only be removed after their children.
  for (let left = found.images, before = Infinity; left.length > 0 && left.length < before;) {
    before = left.length
    await docker('rmi', '--force', ...left).catch(() => {})
    left = (await findObjects(label)).images
  }
}
