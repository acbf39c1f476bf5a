import { posix } from 'node:path'
import { pipeline } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { Dependencies } from '../../dependencies.ts'
import type { SendArchive } from '../../http/send-archive.ts'
import type { SendFile } from '../../http/send-file.ts'
import { pathToRead } from './client-path.ts'
import { archiving, downloading } from './file-limits.ts'
import { timeOf } from './file-view.ts'
import type { Place } from './place.ts'
import { openProjectTree } from './project-files.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'fileStore' | 'hostHelper'>

/** Hands on a file, open for as long as it is sent. */
export async function downloadFile(deps: Deps, place: Place, requestedPath: string, send: SendFile): Promise<void> {
  const { tree } = await openProjectTree(deps, place.userId, place.projectId)
  const path = pathToRead(requestedPath)
  await downloading.run(place.userId, async () => {
    const open = await tree.open(path)
    try {
      const { name, size, mtime } = open.file
      await send({ name, size, mtime: timeOf(mtime), stream: (range) => open.stream(range) })
    } finally {
      await open.close()
    }
  })
}

/** Hands on a directory as tar.gz, packed while it is sent. */
export async function downloadDirectory(
  deps: Deps,
  place: Place,
  requestedPath: string,
  send: SendArchive
): Promise<void> {
  const { project, tree } = await openProjectTree(deps, place.userId, place.projectId)
  const path = pathToRead(requestedPath)
  await archiving.run(place.userId, async () => {
    const tar = await tree.pack(path)
    // What makes a site large is packed already, and the processor is the sites'.
    const stream = pipeline(tar, createGzip({ level: constants.Z_BEST_SPEED }), () => {})
    await send({ name: `${path === '' ? project.name : posix.basename(path)}.tar.gz`, stream })
  })
}
