import { api, data } from '../../api/client.ts'

/** Browsers name the type of a zip differently on each system. */
export const archiveType = (name: string): string => (/\.zip$/i.test(name) ? 'application/zip' : 'application/gzip')

/** The files of the archive become those of the project. */
export const uploadArchive = (id: string, file: File) =>
  data(
    api.POST('/api/projects/{id}/uploads', {
      params: { path: { id }, query: { folder: file.name.slice(-100) } },
      // Sent as it is: the generated type of a binary body is text.
      body: file as never,
      bodySerializer: (body: unknown) => body as File,
      headers: { 'Content-Type': archiveType(file.name) }
    })
  )
