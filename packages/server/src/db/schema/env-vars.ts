import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex
} from 'drizzle-orm/pg-core'
import { variableScopes } from '@panel/contract/env-vars'
import { createdAt, updatedAt } from './columns.ts'
import { databases } from './databases.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const variableScope = pgEnum('variable_scope', variableScopes)

export const envGroups = pgTable(
  'env_groups',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [uniqueIndex('env_groups_name').on(t.userId, t.name)]
)

/** Groups whose variables a project gets, by precedence: of two groups with the same key, the lower position counts. */
export const projectEnvGroups = pgTable(
  'project_env_groups',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    groupId: text('group_id')
      .notNull()
      .references(() => envGroups.id, { onDelete: 'cascade' }),
    position: integer('position').notNull()
  },
  (t) => [primaryKey({ columns: [t.projectId, t.groupId] }), index('project_env_groups_group').on(t.groupId)]
)

export const envVars = pgTable(
  'env_vars',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    groupId: text('group_id').references(() => envGroups.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    value: text('value').notNull(), // sealed by the secret box
    // What the value refers to; null for a value that is used as it is, because it was stored before there were references.
    references: jsonb('references').$type<readonly string[]>(),
    sensitive: boolean('sensitive').notNull().default(true),
    scope: variableScope('scope').notNull().default('BOTH'),
    // Null: all processes.
    processes: jsonb('processes').$type<readonly string[]>(),
    // Database that set it and with which it is deleted; null once edited by hand.
    databaseId: text('database_id').references(() => databases.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('env_vars_key').on(t.projectId, t.key),
    uniqueIndex('env_vars_group_key').on(t.groupId, t.key),
    index('env_vars_database').on(t.databaseId),
    check('env_vars_of', sql`(project_id is null) <> (group_id is null)`)
  ]
)
