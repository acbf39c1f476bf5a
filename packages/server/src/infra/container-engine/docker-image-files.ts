import { Readable } from 'node:stream'
import type { ImageFilesOptions } from './container-engine.ts'
import { type EngineCall, ignoringStatuses, type TimeLimits, unlessMissing } from './docker-call.ts'

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
      const result = await unlessMissing(
        call(limits.long, async (engine, keepAlive) => {
          const tar = await engine.open('GET', `/containers/${name}/archive`, { query: { path } })
          const chunks = async function* () {
            for await (const chunk of tar as AsyncIterable<Buffer>) {
              keepAlive()
              yield chunk
            }
          }
          // An error of the reader must not be taken for one of the engine.
          return read(Readable.from(chunks(), { objectMode: false })).then(
            (value) => ({ value }),
            (error: unknown) => ({ error })
          )
        })
      )
      if (result && 'error' in result) throw result.error
      return result?.value
    } finally {
      await remove(name)
    }
  }
}
