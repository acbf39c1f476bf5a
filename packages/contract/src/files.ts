import { z } from 'zod'
import { Timestamp } from './common.ts'
import { words } from './details.ts'
import { secret } from './field-scope.ts'

/** For an editor; larger files are downloaded. */
export const maxReadBytes = 2 * 1024 * 1024

/** A page of a listing; a directory may have any number of entries. */
const maxListedNodes = 10_000

/**
 * As the client says it, relative to the project's root. What is wrong with it is told by an error code of
 * its own (features/files/path.policy.ts), so it is any text here: 4,096 is the kernel's PATH_MAX.
 */
export const ClientPath = z.string().max(4096)

export const FileType = z.enum(['dir', 'file'])
export type FileType = z.infer<typeof FileType>

export const FileNode = z
  .object({
    name: z.string(),
    path: z.string().meta({ description: 'Relative to the root of the project, without a leading slash.' }),
    type: FileType.meta({ description: 'A link has the type of what it leads to inside the project.' }),
    size: z.int(),
    mtime: Timestamp,
    extension: z.string().meta({ description: 'Without the dot, in lower case; empty where there is none.' }),
    mode: z.string().meta({ description: 'Permission bits as four octal digits.' })
  })
  .meta({ id: 'FileNode' })
export type FileNode = z.infer<typeof FileNode>

export const FileListQuery = z.object({
  path: ClientPath.default(''),
  depth: z.coerce.number().int().min(1).max(3).default(1),
  limit: z.coerce.number().int().min(1).max(maxListedNodes).default(maxListedNodes),
  after: z.string().max(4096).optional().meta({ description: 'The `next` of the page before. Only with depth 1.' })
})
export type FileListQuery = z.infer<typeof FileListQuery>

export const FileList = z
  .object({
    nodes: z.array(FileNode).meta({ description: 'By name, in code unit order; a directory before what is in it.' }),
    next: z.string().nullable().meta({ description: 'Where there is more: `after` of the next page.' })
  })
  .meta({ id: 'FileList' })
export type FileList = z.infer<typeof FileList>

export const PathQuery = z.object({ path: ClientPath })
export const PathBody = z.object({ path: ClientPath })
const FileTag = z.string().meta({ description: 'Stands for the content: the same text has the same tag.' })
export const FileContent = z.object({ content: secret(z.string()), etag: secret(FileTag) }).meta({ id: 'FileContent' })
export type FileContent = z.infer<typeof FileContent>
export const WrittenFile = FileNode.extend({ etag: FileTag }).meta({ id: 'WrittenFile' })
export type WrittenFile = z.infer<typeof WrittenFile>
export const WriteFile = z.object({
  path: ClientPath,
  content: z
    .string()
    .refine((text) => text.isWellFormed(), words.HALF_CHARACTER)
    .meta({ description: 'Written as UTF-8, in which it has 2 MiB at most (413).' })
})
export const ReplaceFile = WriteFile.extend({
  ifMatch: z.string().max(200).optional().meta({
    description: 'The `etag` that was read: 409 FILE_CHANGED where the file has another content by now, or is gone.'
  })
})
export const FromTo = z.object({ from: ClientPath, to: ClientPath })
export const ChangeMode = z.object({
  path: ClientPath,
  mode: z
    .string()
    .regex(/^0?[0-7]{3}$/, words.MODE)
    .meta({ description: 'Without set-user-id, set-group-id and sticky bits.' })
})
export const ExtractArchive = z.object({
  path: ClientPath.meta({ description: 'Of a .zip, .tar, .tar.gz or .tgz in the project.' }),
  to: ClientPath.default('').meta({ description: 'The directory that its entries go to.' })
})
export const Extracted = z
  .object({ files: z.int(), directories: z.int(), bytes: z.int() })
  .meta({ id: 'ExtractedArchive' })
export type Extracted = z.infer<typeof Extracted>

/** The form of an upload; the fields in any order. */
export const UploadForm = z.object({
  path: ClientPath.default('').meta({ description: 'The directory that the file goes to.' }),
  file: z.string().meta({
    format: 'binary',
    description:
      'With a file name, of which only what follows the last slash or backslash counts. Replaces a file of that name.'
  })
})

export const FileSearchQuery = z.object({
  path: ClientPath.default(''),
  name: z.string().min(1).max(255).meta({ description: 'Part of the name, in any case.' }),
  limit: z.coerce.number().int().min(1).max(1000).default(200)
})
export type FileSearchQuery = z.infer<typeof FileSearchQuery>

export const FileSearch = z
  .object({
    nodes: z.array(FileNode),
    isComplete: z
      .boolean()
      .meta({ description: 'False when there was more than the limit, or than one search looks at.' })
  })
  .meta({ id: 'FileSearch' })
export type FileSearch = z.infer<typeof FileSearch>
