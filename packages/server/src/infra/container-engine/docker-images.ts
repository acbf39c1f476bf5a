import { type ContainerEngine, EngineError, type ImageSummary, type PullOptions } from './container-engine.ts'
import { type BuildDependencies, buildImage } from './docker-build.ts'
import type { InspectedImage, ListedContainer, ListedImage, ListedLayer } from './docker-answers.ts'
import { ignoringStatuses, unlessMissing } from './docker-call.ts'
import { hasLabels, labelFilters } from './docker-labels.ts'
import { receiveTar, sendTar } from './docker-image-transfer.ts'
import { progressText, readProgress } from './docker-progress.ts'
import { createParentFinder } from './docker-image-layers.ts'
import { layerFiles, withoutFiles } from './image-archive.ts'
import { layersOfSteps } from './image-layers.policy.ts'
import { plainText } from './terminal-text.ts'

type ImageCalls = Pick<
  ContainerEngine,
  | 'buildImage'
  | 'pullImage'
  | 'importImage'
  | 'loadImage'
  | 'readImage'
  | 'findImage'
  | 'imageLayers'
  | 'listImages'
  | 'listAllImages'
  | 'removeImage'
>

export function createImageCalls(deps: BuildDependencies): ImageCalls {
  const { call, limits } = deps
  const findParents = createParentFinder(deps)
  const listEvery = async () =>
    findParents(
      await call(limits.ordinary, (engine) =>
        engine.ask<ListedImage[]>('GET', '/images/json', { query: { all: true } })
      )
    )
  const isClassic = async () => (await deps.findBuilder()).kind === 'classic'
  return {
    buildImage: (context, options) => buildImage(deps, context, options),
    pullImage: (reference, onLog, { login, signal } = {}) =>
      call(
        limits.idle,
        async (engine, keepAlive) => {
          const { repository, tag } = splitReference(checkedReference(reference))
          const request = { query: { fromImage: repository, tag }, ...(login && { headers: registryAuth(login) }) }
          const answer = await engine.open('POST', '/images/create', request)
          await readProgress(answer, (event) => {
            keepAlive()
            const text = plainText(progressText(event))
            if (text !== '') onLog(text)
          })
        },
        signal && { signal }
      ),
    importImage: (tar, reference, changes) => {
      const { repository, tag } = splitReference(checkedReference(reference))
      return sendTar(deps, tar, { path: '/images/create', query: { fromSrc: '-', repo: repository, tag, changes } })
    },
    loadImage: (tar) => sendTar(deps, tar, { path: '/images/load', query: { quiet: true } }),
    readImage: async (reference, read, leaveOut = 0) => {
      const path = `/images/${checkedReference(reference)}/get`
      if (leaveOut === 0) return receiveTar(call, limits.idle, { path }, read)
      // Only the manifest, at the end of the archive, says which file holds which layer.
      const files = await receiveTar(call, limits.idle, { path }, layerFiles)
      // An equal layer above these needs the file.
      const left = new Set(files.slice(0, leaveOut).filter((file) => !files.includes(file, leaveOut)))
      return receiveTar(call, limits.idle, { path }, (tar) => read(withoutFiles(tar, left)))
    },
    findImage: async (reference) => {
      const name = checkedReference(reference)
      const found = await unlessMissing(
        call(limits.ordinary, (engine) => engine.ask<InspectedImage>('GET', `/images/${name}/json`))
      )
      return (
        found && {
          id: found.Id,
          parentId: found.Parent || undefined,
          tags: found.RepoTags ?? [],
          labels: found.Config.Labels ?? {},
          sizeBytes: found.Size,
          createdAt: new Date(found.Created),
          exposedPorts: Object.keys(found.Config.ExposedPorts ?? {}).map((port) => Number.parseInt(port, 10)),
          user: found.Config.User,
          architecture: found.Architecture,
          onBuild: (found.Config.OnBuild ?? []).length > 0,
          isLocal: (found.RepoDigests ?? []).length === 0,
          layers: found.RootFS?.Layers ?? []
        }
      )
    },
    imageLayers: async (reference) => {
      const name = checkedReference(reference)
      const ask = <T>(path: string) =>
        unlessMissing(call(limits.ordinary, (engine) => engine.ask<T>('GET', `/images/${name}/${path}`)))
      const history = (await ask<ListedLayer[]>('history')) ?? []
      if (await isClassic())
        return history.map(({ Id, CreatedBy, Size }) => ({
          id: Id === '<missing>' ? undefined : Id,
          createdBy: CreatedBy,
          sizeBytes: Size,
          builder: 'classic' as const
        }))
      const image = await ask<InspectedImage>('json')
      const steps = history.map(({ CreatedBy }) => CreatedBy)
      const layers = layersOfSteps(steps.toReversed(), image?.RootFS?.Layers ?? []).toReversed()
      return history.map(({ CreatedBy, Size }, index) => ({
        id: layers[index],
        createdBy: CreatedBy,
        sizeBytes: Size,
        builder: 'buildkit' as const
      }))
    },
    listImages: async (labels) => {
      const query = { all: true, filters: { label: labelFilters(labels) } }
      // BuildKit records no parents, which are found among all images.
      const listed = (await isClassic())
        ? await call(limits.ordinary, (engine) => engine.ask<ListedImage[]>('GET', '/images/json', { query }))
        : await listEvery()
      return listed.filter((image) => hasLabels(image.Labels, labels)).map(summaryOf)
    },
    listAllImages: async () => {
      const query = { all: true }
      const listed = await listEvery()
      // After the images: one that got its container in between counts as used.
      const containers = await call(limits.ordinary, (engine) =>
        engine.ask<ListedContainer[]>('GET', '/containers/json', { query })
      )
      const used = new Set(containers.map(({ ImageID }) => ImageID))
      return listed.map((image) => ({ ...summaryOf(image), isInUse: used.has(image.Id) }))
    },
    removeImage: async (reference) => {
      const name = checkedReference(reference)
      await ignoringStatuses(
        [404],
        call(limits.long, (engine) => engine.ask('DELETE', `/images/${name}`))
      )
    }
  }
}

const summaryOf = ({ Id, ParentId, RepoTags, Labels, Size, Created }: ListedImage): ImageSummary => ({
  id: Id,
  parentId: ParentId || undefined,
  tags: (RepoTags ?? []).filter((tag) => tag !== '<none>:<none>'),
  labels: Labels ?? {},
  sizeBytes: Size,
  createdAt: new Date(Created * 1000)
})

/** The header of the engine's API: JSON in base64url with padding. Without it, the engine ignores the login. */
const registryAuth = ({ host, username, secret }: NonNullable<PullOptions['login']>) => ({
  'X-Registry-Auth': Buffer.from(
    JSON.stringify({
      username,
      password: secret,
      serveraddress: host === 'docker.io' ? 'https://index.docker.io/v1/' : host
    })
  )
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
})

function checkedReference(reference: string): string {
  const isPlain = /^[a-z0-9][\w./:@-]*$/i.test(reference) && !/\.\.|\/\//.test(reference)
  if (!isPlain) throw new EngineError(`Invalid image reference: ${reference}`, 400)
  return reference
}

/** A colon after the last slash starts the tag; before it, the port. Without a tag the engine would pull all tags. */
function splitReference(reference: string): { repository: string; tag: string } {
  const digest = reference.indexOf('@')
  const colon = digest === -1 ? reference.indexOf(':', reference.lastIndexOf('/') + 1) : digest
  return colon === -1
    ? { repository: reference, tag: 'latest' }
    : { repository: reference.slice(0, colon), tag: reference.slice(colon + 1) }
}
