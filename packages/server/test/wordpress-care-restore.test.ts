import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { createConnection } from 'mysql2/promise'
import type { Project } from '@panel/contract/projects'
import type { WordpressTask } from '@panel/contract/wordpress-care'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { projects } from '../src/db/schema/projects.ts'
import { wordpressTasks } from '../src/db/schema/wordpress-care.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { findProject, type ProjectRow } from '../src/features/projects/project-access.ts'
import { openSiteDatabase, type SiteDatabase } from '../src/features/wordpress/site-database.service.ts'
import { ensureSiteDatabase, prepareSiteFiles } from '../src/features/wordpress/wordpress-site.service.ts'
import { saveDatabase, saveFiles } from '../src/features/wordpress-care/site-copy.service.ts'
import { siteTree } from '../src/features/wordpress-care/site-files.service.ts'
import { runTask } from '../src/features/wordpress-care/task.jobs.ts'
import { dropOldUndos } from '../src/features/wordpress-care/undo.service.ts'
import { createClientTools } from '../src/infra/database-dump/client-tools.ts'
import { addressesOf } from '../src/infra/database-server/engine-address.ts'
import { createMysqlServer } from '../src/infra/database-server/mysql.ts'
import { run } from '../src/infra/process/run.ts'
import { createMariadbSiteDatabase } from '../src/infra/site-database/mariadb-site-database.ts'
import { projectDirectory, stagingRoot } from '../src/process/paths.ts'
import { newId } from '../src/security/ids.ts'
import { startMariadb, type TestMariadb } from './support/mariadb.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let mariadb: TestMariadb
let panel: TestPanel
let owner: Client
let deps: Dependencies
let row: ProjectRow
let database: SiteDatabase
let taskId: string
const never = new AbortController().signal

beforeAll(async () => {
  mariadb = await startMariadb()
  const { adminUrl } = mariadb
  const { server } = addressesOf(adminUrl, 3306)
  const mysql = createMysqlServer({ adminUrl, internalHost: async () => '172.30.0.1' })
  panel = await createTestPanel()
  Object.assign(panel.deps, {
    databaseServers: { ...panel.deps.databaseServers, MYSQL: mysql },
    siteDatabase: createMariadbSiteDatabase({ run, adminUrl }),
    databaseDump: createClientTools({ run, servers: { POSTGRESQL: server, MYSQL: server } })
  })
  deps = panel.deps
  owner = await panel.signUp()
})
afterAll(async () => {
  await panel?.close()
  await mariadb?.stop()
})

const file = (path: string) => join(projectDirectory(deps.config, row.id), path)

async function query<T>(sql: string): Promise<T[]> {
  const { hostname, port, username, password } = new URL(mariadb.adminUrl)
  const login = { host: hostname, port: Number(port), user: username, password: decodeURIComponent(password) }
  const connection = await createConnection({ ...login, multipleStatements: true })
  try {
    await connection.query(`use \`${database.account.database}\``)
    const [rows] = await connection.query(sql)
    return rows as T[]
  } finally {
    await connection.end()
  }
}

/** A site whose update was interrupted after it had changed files and tables. */
beforeEach(async () => {
  const project: Project = await owner.createProject({ type: 'WORDPRESS' })
  await ensureSiteDatabase(deps, (await findProject(deps.db, project.id))!)
  row = (await findProject(deps.db, project.id))!
  await prepareSiteFiles(deps, row, { env: {}, root: '/var/www/html', volumes: [] })
  database = await openSiteDatabase(deps, row, await siteTree(deps, row))
  await query(`create table wp_options (option_name varchar(191) primary key, option_value longtext);
    insert into wp_options values ('blogname', 'Before'); create table other (id int); insert into other values (1)`)
  await writeFile(file('page.txt'), 'before')
  taskId = newId()
  await deps.db.insert(wordpressTasks).values({
    ...{ id: taskId, projectId: row.id, userId: row.userId, kind: 'UPDATE', trigger: 'MANUAL', step: 'CHANGING' },
    ...{ hasCopy: true, databaseId: database.id, tablePrefix: database.prefix }
  })
  await writeFile(file('.maintenance'), '<?php $upgrading = time();')
  await saveDatabase(deps, taskId, database, never)
  await saveFiles(deps, taskId, row, never)
  await query(
    `update wp_options set option_value = 'After'; create table wp_new (id int); insert into other values (2)`
  )
  await writeFile(file('page.txt'), 'after')
  await writeFile(file('new.txt'), '')
})

const task = async (id = taskId): Promise<WordpressTask> =>
  (await owner.request('GET', `/api/projects/${row.id}/wordpress/tasks/${id}`)).json()

const rolledBack = { status: 'ROLLED_BACK', problemSentences: [{ code: 'TASK_INTERRUPTED' }] }

async function expectAsBefore(outcome: object = rolledBack, id = taskId) {
  expect(await task(id)).toMatchObject(outcome)
  expect(await readFile(file('page.txt'), 'utf8')).toBe('before')
  expect([existsSync(file('new.txt')), existsSync(file('.maintenance'))]).toEqual([false, false])
  expect(await query('select option_value from wp_options')).toEqual([{ option_value: 'Before' }])
  const tables = await query<Record<string, string>>('show tables')
  expect(tables.flatMap(Object.values)).toEqual(['other', 'wp_options'])
  // A table of another program in the same database.
  expect(await query('select id from other')).toHaveLength(2)
  const databases = (await query<Record<string, string>>('show databases')).flatMap(Object.values)
  expect(databases.filter((name) => /^panel_(care|replaced)_/.test(name))).toEqual([])
  expect((await readdir(stagingRoot(deps.config))).filter((name) => name.startsWith('care-'))).toEqual([])
}

test('the next worker restores files and tables', async () => {
  await runTask(deps, 2, taskId, never)
  await expectAsBefore()
})

test('a restore that is interrupted between tables and files is repeated', async () => {
  const { replaceProject } = deps.hostHelper
  const broken = { ...deps.hostHelper, replaceProject: () => Promise.reject(new Error('killed')) }
  await runTask({ ...deps, hostHelper: broken }, 2, taskId, never)
  expect(await task()).toMatchObject({ status: 'RUNNING', step: 'RESTORING' })
  const after = async (...args: Parameters<typeof replaceProject>) => {
    await deps.hostHelper.replaceProject(...args)
    throw new Error('killed')
  }
  await runTask({ ...deps, hostHelper: { ...deps.hostHelper, replaceProject: after } }, 3, taskId, never)
  expect(await task()).toMatchObject({ status: 'RUNNING', step: 'RESTORING' })
  await runTask(deps, 4, taskId, never)
  await expectAsBefore()
})

/** The update has succeeded, and what it replaced is kept. */
async function undo(): Promise<string> {
  const undoUntil = new Date(deps.now().getTime() + 60_000)
  const ended = { status: 'SUCCEEDED', step: 'DONE', hasCopy: false, undoUntil, undoBytes: 10 } as const
  await rm(file('.maintenance'))
  await deps.db.update(wordpressTasks).set(ended).where(eq(wordpressTasks.id, taskId))
  const runIn = (containerId: string | null) => deps.db.update(projects).set({ containerId }).where(eq(projects.id, row.id)) // oxfmt-ignore
  await runIn('container')
  const answer = await owner.request('POST', `/api/projects/${row.id}/wordpress/tasks/${taskId}/undo`)
  expect(answer.statusCode, answer.body).toBe(202)
  // The engine of this test has none.
  await runIn(null)
  return answer.json<WordpressTask>().id
}

test('an update is undone, also after an interruption between tables and files', async () => {
  const id = await undo()
  const broken = { ...deps.hostHelper, replaceProject: () => Promise.reject(new Error('killed')) }
  await runTask({ ...deps, hostHelper: broken }, 2, id, never)
  expect(await task(id)).toMatchObject({ kind: 'UNDO', status: 'RUNNING', step: 'RESTORING' })
  await dropOldUndos({ ...deps, now: () => new Date(deps.now().getTime() + 61_000) })
  await runTask(deps, 3, id, never)
  await expectAsBefore({ kind: 'UNDO', status: 'SUCCEEDED', problemSentences: [] }, id)
  expect((await task()).undoUntil).toBeNull()
})

test('what an update replaced is not kept for longer', async () => {
  const id = await undo()
  await deps.db.update(wordpressTasks).set({ status: 'FAILED' }).where(eq(wordpressTasks.id, id))
  await dropOldUndos(deps)
  expect((await task()).undoUntil).not.toBeNull()
  await dropOldUndos({ ...deps, now: () => new Date(deps.now().getTime() + 61_000) })
  expect((await task()).undoUntil).toBeNull()
  expect((await readdir(stagingRoot(deps.config))).filter((name) => name.startsWith('care-'))).toEqual([])
  expect((await owner.request('POST', `/api/projects/${row.id}/wordpress/tasks/${taskId}/undo`)).statusCode).toBe(409)
  expect(await readFile(file('page.txt'), 'utf8')).toBe('after')
})

test('what is kept of a project that is deleted is removed', async () => {
  const id = await undo()
  await deps.db.delete(wordpressTasks).where(eq(wordpressTasks.id, id))
  expect((await owner.request('DELETE', `/api/projects/${row.id}`)).statusCode).toBeLessThan(300)
  await dropOldUndos(deps)
  expect((await readdir(stagingRoot(deps.config))).filter((name) => name.startsWith('care-'))).toEqual([])
})

test('nothing is restored if nothing was changed yet', async () => {
  await deps.db.update(wordpressTasks).set({ step: 'SAVING' }).where(eq(wordpressTasks.id, taskId))
  await runTask(deps, 2, taskId, never)
  expect(await task()).toMatchObject({ status: 'FAILED' })
  expect(await readFile(file('page.txt'), 'utf8')).toBe('after')
  expect(existsSync(file('.maintenance'))).toBe(false)
})
