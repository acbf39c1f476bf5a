import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConfig } from '../../packages/server/src/config.ts'
import { prepareBaseImages } from '../../packages/server/src/infra/base-images/base-images.ts'
import { createBaseImageCheck } from '../../packages/server/src/infra/base-images/ensure-base-images.ts'
import { createDockerEngine } from '../../packages/server/src/infra/container-engine/docker.ts'
import { label } from '../../packages/server/src/infra/container-engine/labels.ts'
import { createGit } from '../../packages/server/src/infra/git/git-cli.ts'
import { createBuiltinBuilder } from '../../packages/server/src/infra/image-builder/builtin-builder.ts'
import type { BaseImageKind } from '../../packages/server/src/infra/image-builder/build-plan.ts'
import type { BuildSource, BuiltImage } from '../../packages/server/src/infra/image-builder/image-builder.ts'
import type { Mirrors } from '../../packages/server/src/infra/image-builder/mirrors.render.ts'
import { baseImagesOf, usualBaseImages } from '../../packages/server/src/wiring/base-images.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { createGitRepositories, type Files } from '../support/git-repositories.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

const config = parseConfig({ SESSION_SECRET: 'a secret of thirty-two characters', DATA_DIR: '/nowhere' })
export const images = baseImagesOf(config)

const uid = 21_001

interface Built extends BuiltImage {
  tag: string
  log: string
}

type Settings = Partial<Omit<BuildSource, 'repository' | 'type'>> & {
  type: BuildSource['type']
  signal?: AbortSignal
  onLog?: (text: string) => void
  account?: number
  memoryBytes?: number
  mirrors?: Mirrors
  buildArguments?: Readonly<Record<string, string>>
}

export async function createBuildBench(kinds: readonly BaseImageKind[] = ['node', 'python', 'static', 'php']) {
  const instance = `panel-test-${randomBytes(6).toString('hex')}`
  const bindRoot = await mkdtemp(join(tmpdir(), 'panel-files-'))
  const openEngine = (buildArguments: Readonly<Record<string, string>> = {}) =>
    createDockerEngine({ socketPath: '/var/run/docker.sock', bindRoots: [bindRoot], buildArguments })
  const engine = openEngine()
  const prepared = await prepareBaseImages({
    engine,
    bases: usualBaseImages(config, kinds),
    log: () => {}
  })
  const failed = prepared.find(({ outcome }) => outcome === 'failed')
  if (failed) throw new Error(`${failed.reference}: ${failed.problem}`)
  const repositories = await createGitRepositories()
  const git = createGit({ maxRepositoryBytes: 2 ** 30, timeoutMs: 60_000, knownHostsPath: '/dev/null' })
  const limits = { memoryBytes: 2 * 2 ** 30, cpus: 2, pids: 1024, contextBytes: 8 * 2 ** 20 }
  const network = await engine.ensureNetwork(instance, { [label.instance]: instance })
  let counter = 0

  async function build(
    name: string | undefined,
    hash: string | undefined,
    { mirrors, buildArguments, account, memoryBytes, onLog, ...settings }: Settings
  ): Promise<Built> {
    const builder = createBuiltinBuilder({
      git,
      engine: buildArguments === undefined ? engine : openEngine(buildArguments),
      images,
      baseImages: createBaseImageCheck({ engine, images, run }),
      limits: { ...limits, memoryBytes: memoryBytes ?? limits.memoryBytes },
      ...(mirrors === undefined ? {} : { mirrors })
    })
    const tag = `${instance}:${++counter}`
    let log = ''
    const image = await builder.build({
      source: {
        buildCmd: null,
        startCmd: null,
        port: null,
        buildEnv: {},
        ...settings,
        repository: name && hash ? { directory: join(repositories.root, `${name}.git`), commitHash: hash } : undefined
      },
      tag,
      labels: {
        [label.instance]: instance,
        [label.project]: name ?? 'none',
        [label.deployment]: String(counter),
        [label.role]: 'build'
      },
      network: network.name,
      account,
      signal: settings.signal ?? new AbortController().signal,
      onLog: (text) => {
        log += text
        onLog?.(text)
      }
    })
    return { ...image, tag, log }
  }

  const bench = {
    engine,
    hasBuildKit: (await engine.findBuilder()).kind === 'buildkit',
    repositories,
    build,
    instance,
    gateway: network.gateway,
    buildFiles: async (files: Files, settings: Settings) => {
      const name = `acme/app-${++counter}`
      return build(name, await repositories.createRepository(name, files), settings)
    },
    newFiles: async (): Promise<string> => {
      const directory = join(bindRoot, `files${++counter}`)
      await mkdir(directory)
      await chown(directory, uid, uid)
      return directory
    },
    start: async (
      built: Built,
      env: Record<string, string> = {},
      files?: string
    ): Promise<{ url: string; id: string; files: string }> => {
      const source = files ?? (await bench.newFiles())
      const hostPort = await freePort()
      const id = await engine.createContainer({
        name: `${instance}-${++counter}`,
        image: built.tag,
        labels: { [label.instance]: instance },
        env: { PORT: String(built.port), ...env },
        user: `${uid}:${uid}`,
        network: network.name,
        address: network.subnet.replace(/\.\d+\/\d+$/, `.${10 + (counter % 200)}`),
        hostPort,
        containerPort: built.port,
        memoryBytes: 128 * 2 ** 20,
        cpus: 1,
        pids: 256,
        readOnlyRoot: built.readOnlyRoot,
        volumes: [],
        binds: [{ source, target: built.filesAt }]
      })
      await engine.startContainer(id)
      const url = `http://127.0.0.1:${hostPort}`
      for (let attempt = 0; attempt < 200; attempt++) {
        const answered = await answers(url)
        if (answered) return { url, id, files: source }
        const state = await engine.findContainer(id)
        if (!state?.running || state.restartCount > 0) break
        await sleep(100)
      }
      throw new Error(`No answer. Its log:\n${await engine.containerLogs(id, 50)}`)
    },
    close: async () => {
      const ours = { [label.instance]: instance }
      for (const { id } of await engine.listContainers(ours)) await engine.removeContainer(id)
      for (const volume of await engine.listVolumes(ours)) await engine.removeVolume(volume)
      await engine.removeNetwork(instance)
      // Parent images can only be removed after their children.
      for (let pass = 0; pass < 30; pass++) {
        const left = await engine.listImages(ours)
        if (left.length === 0) break
        for (const { id, tags } of left)
          for (const name of [...tags, id]) await engine.removeImage(name).catch(() => {})
      }
      await repositories.remove()
      await rm(bindRoot, { recursive: true, force: true })
    }
  }
  return bench
}

/** Not fetch: on Node 20 it never settles if the engine's proxy accepts a connection and closes it again. */
const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 3000 }, (response) => {
      resolve(true)
      response.destroy()
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(false))
    request.once('close', () => resolve(false))
  })
