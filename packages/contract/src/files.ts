import { z } from 'zod'
import { Timestamp } from './common.ts'
import { words } from './details.ts'
import { secret } from './field-scope.ts'

/** Limit for the editor; larger files are downloaded. */
export const maxReadBytes = 2 * 1024 * 1024

/** Page size of a listing; a directory may have any number of entries. */
const maxListedNodes = 10_000

/** Path problems have their own error codes (features/files/path.policy.ts). 4,096 is the kernel's PATH_MAX. */
export const ClientPath = z.string().max(4096)

export const FileType = z.enum(['dir', 'file'])
export type FileType = z.infer<typeof FileType>

export const FileNode = z
  .object({
    name: z.string(),
    path: z.string().meta({ description: 'Relative to the project root, without a leading slash.' }),
    type: FileType.meta({ description: 'A symbolic link has the type of its target inside the project.' }),
    size: z.int(),
    mtime: Timestamp,
    extension: z.string().meta({ description: 'Lower case, without the dot; empty if none.' }),
    mode: z.string().meta({ description: 'Permission bits as four octal digits.' })
  })
  .meta({ id: 'FileNode' })
export type FileNode = z.infer<typeof FileNode>

export const FileListQuery = z.object({
  path: ClientPath.default(''),
  depth: z.coerce.number().int().min(1).max(3).default(1),
  limit: z.coerce.number().int().min(1).max(maxListedNodes).default(maxListedNodes),
  after: z.string().max(4096).optional().meta({ description: 'The `next` of the previous page. Only with depth 1.' })
})
export type FileListQuery = z.infer<typeof FileListQuery>

export const FileList = z
  .object({
    nodes: z
      .array(FileNode)
      .meta({ description: 'Sorted by name in code unit order; a folder comes before its contents.' }),
    next: z.string().nullable().meta({ description: '`after` for the next page; null on the last page.' })
  })
  .meta({ id: 'FileList' })
export type FileList = z.infer<typeof FileList>

export const PathQuery = z.object({ path: ClientPath })
export const PathBody = z.object({ path: ClientPath })
const FileTag = z.string().meta({ description: 'Identifies the content: equal content has an equal tag.' })
export const FileContent = z.object({ content: secret(z.string()), etag: secret(FileTag) }).meta({ id: 'FileContent' })
export type FileContent = z.infer<typeof FileContent>
export const WrittenFile = FileNode.extend({ etag: FileTag }).meta({ id: 'WrittenFile' })
export type WrittenFile = z.infer<typeof WrittenFile>
export const WriteFile = z.object({
  path: ClientPath,
  content: z
    .string()
    .refine((text) => text.isWellFormed(), words.HALF_CHARACTER)
    .meta({ description: 'Written as UTF-8, up to 2 MiB (413).' })
})
export const ReplaceFile = WriteFile.extend({
  ifMatch: z.string().max(200).optional().meta({
    description: 'The `etag` you read: returns 409 FILE_CHANGED if the file has changed or was deleted.'
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
  path: ClientPath.meta({ description: 'A .zip, .tar, .tar.gz or .tgz in the project.' }),
  to: ClientPath.default('').meta({ description: 'Target folder.' })
})
export const Extracted = z
  .object({ files: z.int(), directories: z.int(), bytes: z.int() })
  .meta({ id: 'ExtractedArchive' })
export type Extracted = z.infer<typeof Extracted>

/** An upload form; fields in any order. */
export const UploadForm = z.object({
  path: ClientPath.default('').meta({ description: 'Target folder.' }),
  file: z.string().meta({
    format: 'binary',
    description:
      'With a file name, of which only the part after the last slash or backslash counts. Replaces an existing file with that name.'
  })
})

export const FileSearchQuery = z.object({
  path: ClientPath.default(''),
  name: z.string().min(1).max(255).meta({ description: 'Part of the name, case-insensitive.' }),
  limit: z.coerce.number().int().min(1).max(1000).default(200)
})
export type FileSearchQuery = z.infer<typeof FileSearchQuery>

export const FileSearch = z
  .object({
    nodes: z.array(FileNode),
    isComplete: z
      .boolean()
      .meta({ description: 'False if there were more results than the limit, or more files than one search scans.' })
  })
  .meta({ id: 'FileSearch' })
export type FileSearch = z.infer<typeof FileSearch>
