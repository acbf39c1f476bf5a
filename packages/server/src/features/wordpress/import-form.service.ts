import { pipeline, type Readable, Transform } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import { AppError } from '../../errors.ts'
import { requireUtf8Part } from '../../http/lone-surrogates.ts'
import type { ProvidedCredentials } from './site-database-choice.service.ts'

export const formLimits = { files: 1, fields: 10, parts: 12, fieldNameSize: 100, fieldSize: 1024, headerPairs: 50 }

const fields = { dbName: 'name', dbUser: 'user', dbPassword: 'password', dbHost: 'host' } as const
const archiveFields = ['archive', 'file']

/** Resolves with the database credentials, which may come before or after the file; undefined if there are none. */
export async function receiveForm(
  parts: AsyncIterable<Multipart>,
  store: (content: Readable) => Promise<void>,
  { maxBytes, onProgress }: { maxBytes: number; onProgress: () => Promise<void> }
): Promise<ProvidedCredentials | undefined> {
  const provided: Partial<ProvidedCredentials> = {}
  let hasArchive = false
  try {
    for await (const part of parts) {
      requireUtf8Part(part)
      if (part.type === 'file') {
        if (!archiveFields.includes(part.fieldname) || hasArchive)
          throw new AppError('VALIDATION_ERROR', 'Send exactly one archive in the field `archive`')
        hasArchive = true
        // `store` receives the errors of the stream.
        await store(pipeline(part.file, meter(maxBytes, onProgress), () => {}))
        if (part.file.truncated) throw tooLarge(maxBytes)
      } else if (part.fieldname in fields) {
        if (part.valueTruncated) throw new AppError('VALIDATION_ERROR', `The field ${part.fieldname} is too long`)
        provided[fields[part.fieldname as keyof typeof fields]] = String(part.value)
      }
    }
  } catch (error) {
    throw asUploadError(error)
  }
  if (!hasArchive) throw new AppError('VALIDATION_ERROR', 'Send the archive in the field `archive`')
  const { name = '', user = '', password = '', host = '' } = provided
  return `${name}${user}${password}${host}` === '' ? undefined : { name, user, password, host }
}

function meter(maxBytes: number, onProgress: () => Promise<void>): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(tooLarge(maxBytes))
      else onProgress().then(() => done(null, chunk), done)
    }
  })
}

const tooLarge = (maxBytes: number) =>
  new AppError('PAYLOAD_TOO_LARGE', {
    code: 'UPLOAD_TOO_LARGE',
    values: { megabytes: Math.floor(maxBytes / 1e6) }
  })

function asUploadError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  if ('code' in error) {
    if (!String(error.code).startsWith('FST_')) return error
    if (error.code === 'FST_INVALID_MULTIPART_CONTENT_TYPE')
      return new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the archive as multipart/form-data in the field `archive`')
  }
  return new AppError('VALIDATION_ERROR', { code: 'UPLOAD_NOT_WHOLE' }, { cause: error })
}
