import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { DatabaseDump } from '../../src/infra/database-dump/database-dump.ts'

export interface MemoryDatabaseDump extends DatabaseDump {
  /** Content by name of the database. */
  readonly contents: Map<string, string>
  /** Called before each operation; tests make it fail. */
  before: (operation: keyof DatabaseDump) => Promise<void>
}

export function createMemoryDatabaseDump(): MemoryDatabaseDump {
  const dump: MemoryDatabaseDump = {
    contents: new Map(),
    before: async () => {},
    async dump(_type, { database }, path) {
      await dump.before('dump')
      const content = dump.contents.get(database) ?? ''
      await writeFile(path, content)
      return {
        tables: 1,
        rows: content.split('\n').length,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex')
      }
    },
    async load(_type, { database }, path) {
      await dump.before('load')
      dump.contents.set(database, await readFile(path, 'utf8'))
    }
  }
  return dump
}
