import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { pack } from 'tar-stream'
import type { Project } from '@panel/contract/projects'
import { projectDirectory } from '../../src/process/paths.ts'
import type { Client, TestPanel } from './panel.ts'

export interface FilesClient {
  project: Project
  root: string
  /** Writes files; a value that starts with `-> ` creates a symbolic link. */
  put(files: Record<string, string>): Promise<void>
  text(path: string): Promise<string>
  /** Every path below the root, sorted; directories end with a slash. */
  all(): Promise<string[]>
  get(
    operation: string,
    query?: Record<string, string>,
    headers?: Record<string, string>
  ): Promise<LightMyRequestResponse>
  post(operation: string, body: unknown): Promise<LightMyRequestResponse>
  remove(path: string): Promise<LightMyRequestResponse>
  raw(operation: string, body: Buffer, headers: Record<string, string>): Promise<LightMyRequestResponse>
  upload(file: { name: string; content: string }, path?: string): Promise<LightMyRequestResponse>
}

export async function filesOf(panel: TestPanel, client: Client): Promise<FilesClient> {
  const project = await client.createProject()
  const root = projectDirectory(panel.deps.config, project.id)
  const address = (operation: string) => `/api/files/${project.id}/${operation}`
  return {
    project,
    root,
    async put(files) {
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true })
        if (content.startsWith('-> ')) await symlink(content.slice(3), join(root, path))
        else await writeFile(join(root, path), content)
      }
    },
    text: (path) => readFile(join(root, path), 'utf8'),
    all: () => listAll(root),
    get: (operation, query = {}, headers = {}) =>
      client.request('GET', `${address(operation)}?${new URLSearchParams(query).toString()}`, undefined, headers),
    post: (operation, body) => client.request('POST', address(operation), body as object),
    remove: (path) => client.request('DELETE', address('delete'), { path }),
    raw: (operation, body, headers) => client.request('POST', address(operation), body, headers),
    upload: ({ name, content }, path = '') => {
      const form = formOf([
        ['path', path],
        ['file', content, name]
      ])
      return client.request('POST', address('upload'), form.body, { 'content-type': form.type })
    }
  }
}

async function listAll(root: string, below = ''): Promise<string[]> {
  const names = await readdir(join(root, below))
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(below, name)
      const isDirectory = (await lstat(join(root, path))).isDirectory()
      return isDirectory ? [`${path}/`, ...(await listAll(root, path))] : [path]
    })
  )
  return found.flat().sort()
}

/** A multipart form in the given order: name, content and, for files, file name. */
export function formOf(
  parts: readonly (readonly [name: string, content: string | Buffer, filename?: string])[],
  boundary = 'the-boundary'
): { type: string; body: Buffer } {
  const chunks = parts.flatMap(([name, content, filename]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '\r\n\r\n' : `; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    content,
    '\r\n'
  ])
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)))
  }
}

export async function tarOf(entries: readonly (readonly [name: string, content: string])[]): Promise<Buffer> {
  const archive = pack()
  for (const [name, content] of entries) archive.entry({ name }, content)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export const codeOf = (answer: LightMyRequestResponse): [number, string | undefined] => [
  answer.statusCode,
  String(answer.headers['content-type']).startsWith('application/json')
    ? (answer.json() as { code?: string }).code
    : undefined
]
