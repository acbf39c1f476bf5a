import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp, unlessFalse } from './common.ts'
import { words } from './details.ts'
import { maskable, secret } from './field-scope.ts'

export const databaseTypes = ['POSTGRESQL', 'MYSQL'] as const
export const DatabaseType = z.enum(databaseTypes)
export type DatabaseType = z.infer<typeof DatabaseType>

/** Names that each engine has for itself, whatever the case. */
const reservedNames: Readonly<Record<DatabaseType, readonly string[]>> = {
  POSTGRESQL: ['postgres', 'template0', 'template1'],
  MYSQL: ['mysql', 'sys', 'information_schema', 'performance_schema']
}

/** What both engines take for a name of a database, and no program has to quote. */
export const DatabaseName = z.string().regex(/^[a-zA-Z0-9_]{1,63}$/, words.DATABASE_NAME)

/** The variables that a linked project gets. */
export const injectedVariables = [
  'DATABASE_URL',
  'DB_TYPE',
  'DB_HOST',
  'DB_PORT',
  'DB_NAME',
  'DB_USER',
  'DB_PASSWORD'
] as const

/** As lists have it: nothing in it opens the database. */
export const ListedDatabase = z
  .object({
    id: Id,
    name: z.string(),
    type: DatabaseType,
    projectId: Id.nullable(),
    autoInjectEnv: z.boolean(),
    username: z.string(),
    host: z.string().meta({ description: 'Of the engine, as project containers reach it.' }),
    port: z.int(),
    internalUri: z.string().meta({ description: 'For project containers; the password is masked.' }),
    hostUri: z.string().meta({ description: 'For programs on the server itself. Masked likewise.' }),
    adminUrl: z.string().meta({ description: 'Opens the web administration at this database; asks for the password.' }),
    sizeBytes: z.int().nullable().meta({ description: 'On the engine; null while it does not say.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'ListedDatabase' })

export const Database = ListedDatabase.extend({
  password: secret(z.string().optional()).meta({
    description:
      'Only in the answers to its creation, to a new password, and about this one database, unless it is asked for without secrets.'
  }),
  internalUri: maskable(z.string()).meta({
    description: 'For project containers. Masked where there is no password member.'
  }),
  hostUri: maskable(z.string()).meta({ description: 'For programs on the server itself. Masked likewise.' })
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
  secrets: unlessFalse('`false` masks the password as lists do, and writes nothing into the audit log.')
})

export const DatabaseQuery = z.object({
  ...pageQuery(20, 100),
  projectId: z
    .union([z.literal('none'), Id])
    .optional()
    .meta({ description: '`none`: those that no project is linked to.' }),
  type: DatabaseType.optional(),
  search: singleLine(100).optional()
})
export type DatabaseQuery = z.infer<typeof DatabaseQuery>

export const DatabaseList = z
  .object({ databases: z.array(ListedDatabase), pagination: Pagination })
  .meta({ id: 'DatabaseList' })
export type DatabaseList = z.infer<typeof DatabaseList>

/** A database that does not answer is a result of the test, not an error of the request. */
export const DatabaseTest = z
  .discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), latencyMs: z.number(), serverVersion: z.string() }),
    z.object({ ok: z.literal(false), error: z.string() })
  ])
  .meta({ id: 'DatabaseTest' })
export type DatabaseTest = z.infer<typeof DatabaseTest>
