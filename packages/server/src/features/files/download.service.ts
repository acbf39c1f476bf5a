import { posix } from 'node:path'
import { pipeline } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { Dependencies } from '../../dependencies.ts'
import type { SendArchive } from '../../http/send-archive.ts'
import type { SendFile } from '../../http/send-file.ts'
import { pathToRead } from './client-path.policy.ts'
import { archiveLimit, downloadLimit } from './files.limits.ts'
import { timeOf } from './file-view.ts'
import type { ProjectScope } from './project-scope.service.ts'
import { openProjectTree } from './project-files.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes' | 'worker'>

export async function downloadFile(
  deps: Deps,
  scope: ProjectScope,
  requestedPath: string,
  send: SendFile
): Promise<void> {
  const { tree } = await openProjectTree(deps, scope.userId, scope.projectId)
  const path = pathToRead(requestedPath)
  await downloadLimit.run(scope.userId, async () => {
    const open = await tree.open(path)
    try {
      const { name, size, mtime } = open.file
      await send({ name, size, mtime: timeOf(mtime), stream: (range) => open.stream(range) })
    } finally {
      await open.close()
    }
  })
}

export async function downloadDirectory(
  deps: Deps,
  scope: ProjectScope,
  requestedPath: string,
  send: SendArchive
): Promise<void> {
  const { root, tree } = await openProjectTree(deps, scope.userId, scope.projectId)
  const path = pathToRead(requestedPath)
  await archiveLimit.run(scope.userId, async () => {
    const tar = await tree.pack(path)
    // Fastest level: most of a site's bytes are already compressed, and the sites need the CPU.
    const stream = pipeline(tar, createGzip({ level: constants.Z_BEST_SPEED }), () => {})
    await send({ name: `${path === '' ? root.name : posix.basename(path)}.tar.gz`, stream })
  })
}
