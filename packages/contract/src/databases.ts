import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp, unlessFalse, listOrder } from './common.ts'
import { words } from './details.ts'
import { maskable, secret } from './field-scope.ts'

export const databaseTypes = ['POSTGRESQL', 'MYSQL'] as const
export const DatabaseType = z.enum(databaseTypes)
export type DatabaseType = z.infer<typeof DatabaseType>

/** Reserved by the engine, case-insensitive. */
const reservedNames: Readonly<Record<DatabaseType, readonly string[]>> = {
  POSTGRESQL: ['postgres', 'template0', 'template1'],
  MYSQL: ['mysql', 'sys', 'information_schema', 'performance_schema']
}

/** Valid in both engines without quoting. */
export const DatabaseName = z.string().regex(/^[a-zA-Z0-9_]{1,63}$/, words.DATABASE_NAME)

export const injectedVariables = [
  'DATABASE_URL',
  'DB_TYPE',
  'DB_HOST',
  'DB_PORT',
  'DB_NAME',
  'DB_USER',
  'DB_PASSWORD'
] as const

/** What a variable can refer to of a database: `${{name.url}}`. */
export const databaseFields = ['url', 'host', 'port', 'name', 'user', 'password', 'type'] as const

export const ListedDatabase = z
  .object({
    id: Id,
    name: z.string(),
    type: DatabaseType,
    projectId: Id.nullable(),
    autoInjectEnv: z.boolean(),
    username: z.string(),
    host: z.string().meta({ description: 'Host of the database server as seen from project containers.' }),
    port: z.int(),
    internalUri: z.string().meta({ description: 'For project containers; the password is masked.' }),
    hostUri: z.string().meta({ description: 'For programs on the server itself; the password is masked.' }),
    adminUrl: z.string().meta({ description: 'Opens the web admin at this database; asks for the password.' }),
    sizeBytes: z.int().nullable().meta({ description: 'Size on the database server; null if unknown.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'ListedDatabase' })

export const Database = ListedDatabase.extend({
  password: secret(z.string().optional()).meta({
    description: 'Only returned when you create the database, rotate its password or get it with secrets.'
  }),
  internalUri: maskable(z.string()).meta({
    description: 'For project containers. The password is masked if there is no `password`.'
  }),
  hostUri: maskable(z.string()).meta({
    description: 'For programs on the server itself. The password is masked if there is no `password`.'
  })
}).meta({ id: 'Database' })
export type Database = z.infer<typeof Database>

export const CreateDatabase = z
  .object({
    name: DatabaseName,
    type: DatabaseType,
    projectId: Id.nullish(),
    autoInjectEnv: z
      .boolean()
      .default(false)
      .meta({
        description: `Whether the project gets its variables (${injectedVariables.join(', ')}); 400 without a \`projectId\`.`
      })
  })
  .refine(({ name, type }) => !reservedNames[type].includes(name.toLowerCase()), {
    path: ['name'],
    error: words.DATABASE_NAME_TAKEN
  })
  .refine((input) => !input.autoInjectEnv || (input.projectId ?? null) !== null, {
    path: ['autoInjectEnv'],
    error: words.PROJECT_FOR_VARIABLES
  })
export type CreateDatabase = z.infer<typeof CreateDatabase>

export const UpdateDatabase = z
  .object({ projectId: Id.nullable(), autoInjectEnv: z.boolean() })
  .partial()
  .refine((input) => Object.keys(input).length > 0, { error: 'must have projectId or autoInjectEnv' })
export type UpdateDatabase = z.infer<typeof UpdateDatabase>

export const OneDatabaseQuery = z.object({
  secrets: unlessFalse('`false` masks the password as in lists and writes no audit entry.')
})

export const DatabaseQuery = z.object({
  ...pageQuery(20, 100),
  projectId: z
    .union([z.literal('none'), Id])
    .optional()
    .meta({ description: '`none`: databases that are not linked to a project.' }),
  type: DatabaseType.optional(),
  search: singleLine(100).optional(),
  order: listOrder('created')
})
export type DatabaseQuery = z.infer<typeof DatabaseQuery>

export const DatabaseList = z
  .object({ databases: z.array(ListedDatabase), pagination: Pagination })
  .meta({ id: 'DatabaseList' })
export type DatabaseList = z.infer<typeof DatabaseList>

/** A database that does not respond is a test result, not an API error. */
export const DatabaseTest = z
  .discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), latencyMs: z.number(), serverVersion: z.string() }),
    z.object({ ok: z.literal(false), error: z.string() })
  ])
  .meta({ id: 'DatabaseTest' })
export type DatabaseTest = z.infer<typeof DatabaseTest>
