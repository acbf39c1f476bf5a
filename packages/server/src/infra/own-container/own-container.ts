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

// Reserved by Debian policy for nobody and nothing: no account of this machine or of a tenant has it.
const uid = 65_533
/** Names what a container was made of: one of another is replaced. */
const settingsLabel = 'panel.settings'
/** How often a newer image is looked for: it is made of the packages of its week. */
const renewEveryMs = 24 * 3600 * 1000

/** What a program of the panel's own is run as, beyond what all of them have. */
export type OwnContainerSpec = Omit<
  ContainerSpec,
  'name' | 'image' | 'labels' | 'user' | 'readOnlyRoot' | 'binds' | 'account' | 'hostPort'
>

export interface OwnContainerOptions {
  engine: ContainerEngine
  run: Run
  instanceId: string
  /** In labels and in the container's name: `database-admin`. */
  role: string
  recipe: (now: Date) => Recipe
  /** As it is to be now. */
  spec: () => Promise<OwnContainerSpec>
  now?: () => Date
}

/** A program of the panel's own, in a container on the panel's own network. */
export interface OwnContainer {
  /** Sees to it that it runs, of this week's image and these settings. Safe to repeat. */
  ensure(options: { log: (line: string) => void; signal: AbortSignal }): Promise<OwnContainerSpec>
  /** Ends it. Resolves also when it is gone. */
  remove(): Promise<void>
}

export const ownRole = (role: string): Labels => ({ [label.role]: role })

/** Fenced in as all of them are: nobody's account, nothing to write to but volumes and /tmp, reached by this machine alone. */
export function createOwnContainer(options: OwnContainerOptions): OwnContainer {
  const { engine, run, instanceId, role, recipe, now = () => new Date() } = options
  const labels = { [label.instance]: instanceId, ...ownRole(role) }
  let made: { id: string; renewAt: number } | undefined

  const ensureImage = async (log: (line: string) => void, signal: AbortSignal): Promise<string> => {
    // By its id: another panel of this machine, of another release, gives the name to another image.
    if (made && now().getTime() < made.renewAt && (await engine.findImage(made.id))) return made.id
    const wanted = recipe(now())
    await prepareOwnImage({ engine, run, log, signal, now }, wanted)
    const found = await engine.findImage(wanted.reference)
    if (!found) throw new Error(`The image ${wanted.reference} is gone again`)
    made = { id: found.id, renewAt: now().getTime() + renewEveryMs }
    return found.id
  }
  const fenced = (spec: OwnContainerSpec, image: string): ContainerSpec => {
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
  /** Resolves with whether it is a new one. */
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
        // Another panel's container runs on it: that panel removes it.
        if (!(error instanceof EngineError)) throw error
      })
    }
  }

  return {
    async ensure({ log, signal }) {
      const image = await ensureImage(log, signal)
      const spec = await options.spec()
      signal.throwIfAborted()
      if (await ensureContainer(fenced(spec, image))) await removePreviousImages()
      return spec
    },
    async remove() {
      for (const { id } of await engine.listContainers(labels)) await engine.removeContainer(id)
    }
  }
}
