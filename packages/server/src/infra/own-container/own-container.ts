import { createHash } from 'node:crypto'
import { prepareOwnImage } from '../base-images/base-images.ts'
import type { Recipe } from '../base-images/recipe.ts'
import {
  type ContainerEngine,
  type ContainerSpec,
  EngineError,
  type Labels
} from '../container-engine/container-engine.ts'
import { label } from '../container-engine/labels.ts'
import type { Run } from '../process/process.ts'

// Reserved by Debian policy: no account of the machine or a tenant has it.
const uid = 65_533
/** Hash of the container's settings: one with other settings is replaced. */
const settingsLabel = 'panel.settings'
const renewEveryMs = 24 * 3600 * 1000

export type OwnContainerSpec = Omit<
  ContainerSpec,
  'name' | 'image' | 'labels' | 'user' | 'readOnlyRoot' | 'binds' | 'account' | 'hostPort'
>

export interface OwnContainerOptions {
  engine: ContainerEngine
  run: Run
  instanceId: string
  role: string
  recipe: (now: Date) => Recipe
  spec: () => Promise<OwnContainerSpec>
  now?: () => Date
}

export interface OwnContainer {
  /** Ensures that it runs with this week's image and current settings. Idempotent. */
  ensure(options: { log: (line: string) => void; signal: AbortSignal }): Promise<OwnContainerSpec>
  remove(): Promise<void>
}

export const ownRole = (role: string): Labels => ({ [label.role]: role })

/** Common restrictions: no account, writes only to volumes and /tmp, reachable from this machine only. */
export function createOwnContainer(options: OwnContainerOptions): OwnContainer {
  const { engine, run, instanceId, role, recipe, now = () => new Date() } = options
  const labels = { [label.instance]: instanceId, ...ownRole(role) }
  let made: { id: string; renewAt: number } | undefined

  const ensureImage = async (log: (line: string) => void, signal: AbortSignal): Promise<string> => {
    // By id: another panel release on this machine may reuse the name for a different image.
    if (made && now().getTime() < made.renewAt && (await engine.findImage(made.id))) return made.id
    const wanted = recipe(now())
    await prepareOwnImage({ engine, run, log, signal, now }, wanted)
    const found = await engine.findImage(wanted.reference)
    if (!found) throw new Error(`The image ${wanted.reference} was removed after it was built`)
    made = { id: found.id, renewAt: now().getTime() + renewEveryMs }
    return found.id
  }
  const sandboxed = (spec: OwnContainerSpec, image: string): ContainerSpec => {
    const whole = {
      ...spec,
      name: `panel-${instanceId}-${role}`,
      image,
      user: `${uid}:${uid}`,
      readOnlyRoot: true,
      binds: []
    }
    const settings = createHash('sha256').update(JSON.stringify(whole)).digest('hex').slice(0, 16)
    return { ...whole, labels: { ...labels, [settingsLabel]: settings } }
  }
  const ensureContainer = async (spec: ContainerSpec): Promise<boolean> => {
    const isWanted = (found: { labels: Labels }) => found.labels[settingsLabel] === spec.labels[settingsLabel]
    const found = await engine.listContainers(labels)
    for (const { id } of found.filter((container) => !isWanted(container))) await engine.removeContainer(id)
    const current = found.find(isWanted)
    if (current?.status !== 'running') await engine.startContainer(current?.id ?? (await engine.createContainer(spec)))
    return current === undefined
  }
  const removePreviousImages = async () => {
    for (const { id, tags } of await engine.listImages(ownRole(role))) {
      if (tags.length > 0) continue
      await engine.removeImage(id).catch((error: unknown) => {
        // In use by another panel, which will remove it.
        if (!(error instanceof EngineError)) throw error
      })
    }
  }

  return {
    async ensure({ log, signal }) {
      const image = await ensureImage(log, signal)
      const spec = await options.spec()
      signal.throwIfAborted()
      if (await ensureContainer(sandboxed(spec, image))) await removePreviousImages()
      return spec
    },
    async remove() {
      for (const { id } of await engine.listContainers(labels)) await engine.removeContainer(id)
    }
  }
}
