import type { Readable } from 'node:stream'
import type { ImageFilesOptions } from './container-engine.ts'
import { type EngineCall, ignoringStatuses, type TimeLimits, unlessMissing } from './docker-call.ts'
import { receiveTar } from './docker-image-transfer.ts'

/** See ContainerEngine.readImageFiles. The container has no network, no mounts, and no command that could run. */
export function createImageFileReader({ call, limits }: { call: EngineCall; limits: TimeLimits }) {
  const remove = (name: string) =>
    ignoringStatuses(
      [404],
      call(limits.long, (engine) => engine.ask('DELETE', `/containers/${name}`, { query: { force: true, v: true } }))
    )
  return async <T>(
    { image, path, name, labels }: ImageFilesOptions,
    read: (tar: Readable) => Promise<T>
  ): Promise<T | undefined> => {
    await remove(name)
    const body = { Image: image, Labels: labels, Entrypoint: ['/'], Cmd: [], HostConfig: { NetworkMode: 'none' } }
    await call(limits.long, (engine) => engine.ask('POST', '/containers/create', { query: { name }, body }))
    try {
      // Thrown by the reader, it must not be taken for a missing path.
      let failure: { error: unknown } | undefined
      const result = await unlessMissing(
        receiveTar(call, limits.long, { path: `/containers/${name}/archive`, query: { path } }, (tar) =>
          read(tar).catch((error: unknown) => void (failure = { error }))
        )
      )
      if (failure) throw failure.error
      return result as T | undefined
    } finally {
      await remove(name)
    }
  }
}
