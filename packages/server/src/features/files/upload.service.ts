import { posix } from 'node:path'
import { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { FileNode } from '@panel/contract/files'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { withSpool } from '../../infra/staging/staging.ts'
import { fileStoreStaging } from '../../process/paths.ts'
import { recordChange } from './change-record.service.ts'
import { directoryToChange, pathToChange } from './client-path.policy.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { uploadLimit } from './files.limits.ts'
import { fileView } from './file-view.ts'
import type { ProjectScope } from './project-scope.service.ts'
import { openProjectTree } from './project-files.service.ts'
import { makeParents } from './parent-directories.service.ts'
import { withinVolume } from './volume-room.service.ts'
import { openUploadForm } from './upload-form.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'freeDiskBytes' | 'nodes' | 'now' | 'spoolDirectory' | 'worker'>

/** Replaces a file of the same name once the upload is complete. Rejects a bad name before reading the content. */
export async function uploadFile(deps: Deps, scope: ProjectScope, parts: AsyncIterator<Multipart>): Promise<FileNode> {
  const { tree } = await openProjectTree(deps, scope.userId, scope.projectId)
  return uploadLimit.run(scope.userId, async () => {
    await requireFreeDisk(deps)
    const form = await openUploadForm(parts, scope.userId)
    const name = pathToChange(form.filename)
    if (name !== form.filename) throw new AppError('PATH_INVALID', 'The file name must not contain a path')
    const store = async (content: Readable) => {
      const path = posix.join(directoryToChange(form.path() ?? ''), name)
      await makeParents(deps, scope, tree, path)
      const write = (maxBytes?: number) =>
        tree.write(path, content, { mode: 'replace', ...(maxBytes === undefined ? {} : { maxBytes }) })
      const node = await withinVolume(deps, scope.projectId, write, ({ size }) => size)
      await recordChange(deps, scope, 'file.uploaded', { path, bytes: node.size })
      return fileView(node)
    }
    const content = Readable.from(form.content(), { objectMode: false })
    if (form.path() !== undefined) return store(content)
    // The field `path` comes after the file, so spool the content until then.
    return withSpool(deps.spoolDirectory ?? fileStoreStaging(deps.config), content, store)
  })
}
