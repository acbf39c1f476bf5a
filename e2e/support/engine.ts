import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs the engine's own client, which knows nothing of ours, and returns what it prints. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await execute('/usr/bin/docker', args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

/** Builds a Dockerfile that needs no other file. */
export async function buildImage(tag: string, dockerfile: string): Promise<void> {
  const env = { ...process.env, DOCKER_BUILDKIT: '0' }
  const child = execute('/usr/bin/docker', ['build', '--quiet', '--tag', tag, '-'], { env })
  child.child.stdin!.end(dockerfile)
  await child
}

/** Every object with the label, running or not, dangling or not. Asked over and over, so without the engine's client, which is a large program to start. */
export async function findObjects(label: string) {
  const filters = { label: [label] }
  const [containers, images, { Volumes: volumes }, networks] = await Promise.all([
    ask<{ Id: string }[]>('/containers/json', { all: 'true', filters: JSON.stringify(filters) }),
    ask<{ Id: string }[]>('/images/json', { all: 'true', filters: JSON.stringify(filters) }),
    ask<{ Volumes: { Name: string }[] | null }>('/volumes', { filters: JSON.stringify(filters) }),
    ask<{ Id: string }[]>('/networks', { filters: JSON.stringify(filters) })
  ])
  // Sorted: the engine lists what was made within one second in any order.
  return {
    containers: idsOf(containers).sort(),
    images: [...new Set(idsOf(images))].sort(),
    volumes: (volumes ?? []).map(({ Name }) => Name).sort(),
    networks: idsOf(networks).sort()
  }
}

const idsOf = (objects: readonly { Id: string }[]): string[] => objects.map(({ Id }) => Id)

/** What the engine itself answers. */
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

/** Which of the texts are in any file of any layer of the image, or in its configuration. */
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

/** Writes all that an image is made of: the directories of its layers where the engine has such, which it packs much slower itself. */
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

/** Ids of the containers that run with the label. */
export const runningContainers = async (label: string): Promise<string[]> =>
  idsOf(await ask('/containers/json', { filters: JSON.stringify({ label: [label] }) }))

/** Removes every object with the label. */
export async function removeObjects(label: string): Promise<void> {
  const found = await findObjects(label)
  if (found.containers.length > 0) await docker('rm', '--force', '--volumes', ...found.containers).catch(() => {})
  if (found.volumes.length > 0) await docker('volume', 'rm', '--force', ...found.volumes).catch(() => {})
  if (found.networks.length > 0) await docker('network', 'rm', ...found.networks).catch(() => {})
  // An image that another is made from can only go after it.
  for (let left = found.images, before = Infinity; left.length > 0 && left.length < before;) {
    before = left.length
    await docker('rmi', '--force', ...left).catch(() => {})
    left = (await findObjects(label)).images
  }
}
