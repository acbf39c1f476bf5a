import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { type Database, databaseTypes, type DatabaseType } from '@panel/contract/databases'
import { databases } from '../src/db/schema/databases.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { AdapterError } from '../src/infra/adapter-error.ts'
import { reconcileAccountLimits } from '../src/features/databases/account-limits.reconcile.ts'
import { reconcileDatabases } from '../src/features/databases/database-recovery.reconcile.ts'
import { rotatePassword } from '../src/features/databases/password-rotation.service.ts'
import { ensureProjectDatabase } from '../src/features/databases/project-database.service.ts'
import { createDatabase as create } from '../src/features/databases/provisioning.service.ts'
import { deleteDatabase } from '../src/features/databases/removal.service.ts'
import type { DatabaseServer } from '../src/infra/database-server/database-server.ts'
import { createDatabase, enginesOf, envOf, listOf, newDatabase, outcome, uniqueName } from './support/databases.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { withResolvers } from './support/with-resolvers.ts'

let panel: TestPanel
let engines: ReturnType<typeof enginesOf>
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel()
  engines = enginesOf(panel)
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())
afterEach(() => {
  for (const engine of Object.values(engines)) engine.before = async () => {}
})

const rowsNamed = (name: string) => panel.deps.db.select().from(databases).where(eq(databases.name, name))
const accountsOf = (type: DatabaseType, name: string) =>
  [...engines[type].accounts.keys()].filter((username) => username.startsWith(`u_${name}_`))
const nothingOf = async (type: DatabaseType, name: string) => {
  expect(await rowsNamed(name)).toEqual([])
  expect([engines[type].databases.has(name), accountsOf(type, name)]).toEqual([false, []])
}
/** In use, and all parties have the same password. */
const wholeOf = async (type: DatabaseType, name: string, projectId: string) => {
  const [row] = await rowsNamed(name)
  expect(row).toMatchObject({ status: 'ACTIVE', encryptedNextPassword: null })
  expect(accountsOf(type, name)).toEqual([row!.username])
  const shown = (await ann.request('GET', `/api/databases/${row!.id}`)).json<Database>()
  expect(engines[type].accounts.get(row!.username)).toBe(shown.password)
  expect(await envOf(ann, projectId)).toMatchObject({ DB_PASSWORD: shown.password, DATABASE_URL: shown.internalUri })
  expect((await ann.request('POST', `/api/databases/${row!.id}/test`)).json()).toMatchObject({ ok: true })
}

/**
 * Simulates kill -9 after a number of steps; later steps reach nothing. A step is a transaction, a single write or an
 * engine call.
 */
function mortal(steps: number): { deps: Dependencies; isDead: () => boolean } {
  let left = steps
  let isDead = false
  const step = () => {
    if (isDead || left === 0) {
      isDead = true
      throw new Error('killed')
    }
    left--
  }
  const stepping = <T extends object>(target: T, isStep: (name: string) => boolean): T =>
    new Proxy(target, {
      get(found, name) {
        const value: unknown = Reflect.get(found, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]): unknown => {
          if (isDead) throw new Error('killed')
          if (isStep(String(name))) step()
          return Reflect.apply(value, found, given)
        }
      }
    })
  const engineOf = (type: DatabaseType): DatabaseServer =>
    stepping<DatabaseServer>(engines[type], (name) => name !== 'addresses' && name !== 'sizes')
  return {
    deps: {
      ...panel.deps,
      db: stepping(panel.deps.db, (name) => ['transaction', 'insert', 'update', 'delete'].includes(name)),
      databaseServers: { POSTGRESQL: engineOf('POSTGRESQL'), MYSQL: engineOf('MYSQL') }
    },
    isDead: () => isDead
  }
}

/** Runs the work once per possible crash point until it survives; resolves with the number of crashes. */
async function dieEverywhere(
  operation: (deps: Dependencies, attempt: number) => Promise<unknown>,
  after: (attempt: number) => Promise<void>
): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const { deps, isDead } = mortal(attempt)
    await operation(deps, attempt).catch((error: Error) => expect(error.message).toBe('killed'))
    if (!isDead()) return attempt
    await reconcileDatabases(panel.deps)
    await after(attempt)
  }
}

describe.each(databaseTypes)('a kill at every step of %s', (type) => {
  test('creating: nothing is left', async () => {
    const project = await ann.createProject()
    const name = uniqueName('killed')
    const attempts = await dieEverywhere(
      (deps) => create(deps, {}, ann.user.id, { name, type, projectId: project.id, autoInjectEnv: true }),
      async () => {
        await nothingOf(type, name)
        expect(await envOf(ann, project.id)).toEqual({})
      }
    )
    expect(attempts).toBe(4)
    await wholeOf(type, name, project.id)
  })

  test('deleting: everything or nothing', async () => {
    let project = await ann.createProject()
    let made = await newDatabase(ann, { type, projectId: project.id, autoInjectEnv: true })
    let gone = 0
    const attempts = await dieEverywhere(
      (deps) => deleteDatabase(deps, {}, ann.user.id, made.id),
      async () => {
        if ((await rowsNamed(made.name)).length > 0) return wholeOf(type, made.name, project.id)
        gone++
        await nothingOf(type, made.name)
        expect(await envOf(ann, project.id)).toEqual({})
        project = await ann.createProject()
        made = await newDatabase(ann, { type, projectId: project.id, autoInjectEnv: true })
      }
    )
    expect([attempts, gone]).toEqual([4, 2])
    await nothingOf(type, made.name)
  })

  test('a password change: engine, row and variables match', async () => {
    const project = await ann.createProject()
    const { id, name } = await newDatabase(ann, { type, projectId: project.id, autoInjectEnv: true })
    const attempts = await dieEverywhere(
      (deps) => rotatePassword(deps, {}, ann.user.id, id),
      () => wholeOf(type, name, project.id)
    )
    expect(attempts).toBe(4)
    await wholeOf(type, name, project.id)
  })
})

describe('a site without a database', () => {
  test.each(databaseTypes)('gets %s named after it, once', async (type) => {
    const project = await ann.createProject({ name: `my-${type.toLowerCase()}-site` })
    const row = await ensureProjectDatabase(panel.deps, project, type)
    expect(row).toMatchObject({
      name: `wp_my_${type.toLowerCase()}_site`,
      type,
      projectId: project.id,
      autoInjectEnv: true
    })
    expect((await ensureProjectDatabase(panel.deps, project, type)).id).toBe(row.id)
    await wholeOf(type, row.name, project.id)
  })

  test('frees name and quota after a kill', async () => {
    const person = await panel.createUser(ann, { maxDatabases: 1 })
    const project = await person.createProject({ name: uniqueName('quota').replace('_', '-') })
    const attempts = await dieEverywhere(
      async (deps) => {
        const row = await ensureProjectDatabase(deps, project, 'MYSQL')
        expect(row.name).toBe(`wp_${project.name.replace('-', '_')}`)
      },
      async () => {}
    )
    expect(attempts).toBe(5)
    expect(await listOf(person)).toHaveLength(1)
  })

  test('is created once by concurrent calls', async () => {
    const project = await ann.createProject()
    const rows = await Promise.all([1, 2, 3].map(() => ensureProjectDatabase(panel.deps, project, 'MYSQL')))
    expect(new Set(rows.map((row) => row.id)).size).toBe(1)
  })

  test('waits for the first start of its server', async () => {
    const server = engines.MYSQL
    let asked = 0
    server.before = async (operation) => {
      if (operation === 'ping' && asked++ === 0)
        throw new AdapterError('database-server-unavailable', 'It is starting.', { remedy: 'TRY_AGAIN' })
    }
    await ensureProjectDatabase(panel.deps, await ann.createProject(), 'MYSQL')
    expect(asked).toBeGreaterThan(1)
  })

  test('uses another name if taken', async () => {
    const bob = await panel.signUp()
    await newDatabase(bob, { name: 'wp_popular' })
    const project = await ann.createProject({ name: 'popular' })
    const row = await ensureProjectDatabase(panel.deps, project, 'POSTGRESQL')
    expect(row.name).toMatch(/^wp_popular_[0-9a-f]{6}$/)
  })
})

describe('an engine', () => {
  const unavailable = () => new AdapterError('database-server-unavailable', 'The database server does not answer')

  test('that fails during creation: 503, and nothing is left after recovery', async () => {
    const project = await ann.createProject()
    const name = uniqueName('away')
    const values = { name, projectId: project.id, autoInjectEnv: true }
    engines.POSTGRESQL.before = async (operation) => {
      if (operation !== 'ping') throw unavailable()
    }
    expect(outcome(await createDatabase(ann, values))).toEqual([503, 'DATABASE_SERVER_UNAVAILABLE'])
    expect(await listOf(ann, `?search=${name}`)).toEqual([])
    expect(outcome(await createDatabase(ann, values))).toEqual([409, 'DATABASE_CHANGING'])
    await reconcileDatabases(panel.deps)
    expect(await rowsNamed(name)).toMatchObject([{ status: 'PROVISIONING' }])
    engines.POSTGRESQL.before = async () => {}
    await reconcileDatabases(panel.deps)
    await nothingOf('POSTGRESQL', name)
    await newDatabase(ann, values)
    await wholeOf('POSTGRESQL', name, project.id)
  })

  test('that fails after creation keeps nothing', async () => {
    const name = uniqueName('late')
    const { provision } = engines.MYSQL
    engines.MYSQL.provision = async (account) => {
      await provision(account)
      throw unavailable()
    }
    expect(outcome(await createDatabase(ann, { name, type: 'MYSQL' }))).toEqual([503, 'DATABASE_SERVER_UNAVAILABLE'])
    engines.MYSQL.provision = provision
    expect(engines.MYSQL.databases.has(name)).toBe(true)
    await reconcileDatabases(panel.deps)
    await nothingOf('MYSQL', name)
  })

  test('that fails during a drop: gone for the owner, later from the engine', async () => {
    const { id, name } = await newDatabase(ann)
    engines.POSTGRESQL.before = async (operation) => {
      if (operation === 'drop') throw unavailable()
    }
    expect((await ann.request('DELETE', `/api/databases/${id}`)).statusCode).toBe(200)
    expect(outcome(await ann.request('GET', `/api/databases/${id}`))).toEqual([404, 'NOT_FOUND'])
    expect(engines.POSTGRESQL.databases.has(name)).toBe(true)
    engines.POSTGRESQL.before = async () => {}
    await reconcileDatabases(panel.deps)
    await nothingOf('POSTGRESQL', name)
  })

  test('that fails during a password change has it afterwards', async () => {
    const project = await ann.createProject()
    const { id, name } = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
    engines.POSTGRESQL.before = async (operation) => {
      if (operation === 'setPassword') throw unavailable()
    }
    const answer = await ann.request('POST', `/api/databases/${id}/rotate-password`)
    expect(outcome(answer)).toEqual([503, 'DATABASE_SERVER_UNAVAILABLE'])
    engines.POSTGRESQL.before = async () => {}
    await reconcileDatabases(panel.deps)
    await wholeOf('POSTGRESQL', name, project.id)
  })

  test('that is down fails waiters for the lock immediately', async () => {
    let requested = 0
    const { promise: held, resolve: release } = withResolvers()
    engines.MYSQL.before = async () => {
      requested++
      await held
      throw unavailable()
    }
    const people = await Promise.all(Array.from({ length: 8 }, () => panel.signUp()))
    // Not over HTTP: all of them wait before the first response.
    const creations = [...people, ...people].map((person) =>
      create(panel.deps, {}, person.user.id, { name: uniqueName('late'), type: 'MYSQL', autoInjectEnv: false })
    )
    await expect.poll(() => requested).toBe(4)
    release()
    for (const ended of await Promise.allSettled(creations))
      expect(ended).toMatchObject({ status: 'rejected', reason: { kind: 'database-server-unavailable' } })
    expect(requested).toBe(8)
    engines.MYSQL.before = async () => {}
    await newDatabase(ann, { type: 'MYSQL' })
  })

  /** Blocks password changes until released, then fails them, as with a lock held by the account itself. */
  const holdPasswords = () => {
    const { promise: held, resolve: release } = withResolvers()
    const holding = { reached: 0, release }
    engines.POSTGRESQL.before = async (operation) => {
      if (operation !== 'setPassword') return
      holding.reached++
      await held
      throw unavailable()
    }
    return holding
  }
  const rotate = (person: Client, id: string) => person.request('POST', `/api/databases/${id}/rotate-password`)

  test('blocked by an account still serves others', async () => {
    const bob = await panel.signUp()
    const made = await Promise.all(Array.from({ length: 7 }, () => newDatabase(ann)))
    const holding = holdPasswords()
    const rotations = made.map(({ id }) => rotate(ann, id))
    await expect.poll(() => holding.reached).toBe(1)
    await newDatabase(bob)
    holding.release()
    await Promise.all(rotations)
  })

  test('blocked by some accounts is not down for the next one', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => panel.signUp()))
    const made = await Promise.all(people.map((person) => newDatabase(person)))
    const holding = holdPasswords()
    const rotations = people.map((person, index) => rotate(person, made[index]!.id))
    await expect.poll(() => holding.reached).toBe(4)
    const next = create(panel.deps, {}, ann.user.id, {
      name: uniqueName('next'),
      type: 'POSTGRESQL',
      autoInjectEnv: false
    })
    holding.release()
    for (const answer of await Promise.all(rotations))
      expect(outcome(answer)).toEqual([503, 'DATABASE_SERVER_UNAVAILABLE'])
    expect((await next).row).toMatchObject({ status: 'ACTIVE' })
  })

  test('of the other type continues', async () => {
    engines.MYSQL.before = () => new Promise(() => {})
    await newDatabase(ann, { type: 'POSTGRESQL' })
  })
})

describe('the reconcile loop', () => {
  test('skips rows that a request is working on', async () => {
    const name = uniqueName('slow')
    const { promise: isThere, resolve: arrived } = withResolvers()
    const { promise: held, resolve: release } = withResolvers()
    engines.POSTGRESQL.before = async (operation) => {
      if (operation !== 'provision') return
      arrived()
      await held
    }
    const answer = createDatabase(ann, { name })
    await isThere
    await reconcileDatabases(panel.deps)
    expect(await rowsNamed(name)).toMatchObject([{ status: 'PROVISIONING' }])
    release()
    expect((await answer).statusCode).toBe(201)
    await reconcileDatabases(panel.deps)
    expect(await rowsNamed(name)).toMatchObject([{ status: 'ACTIVE' }])
  })

  test('never removes a foreign database with content', async () => {
    const name = uniqueName('filled')
    const { provision } = engines.POSTGRESQL
    engines.POSTGRESQL.provision = async () => {
      engines.POSTGRESQL.databases.set(name, { owner: 'somebody', bytes: 7 })
      throw new AdapterError('database-server-unavailable', 'The database server does not answer')
    }
    await createDatabase(ann, { name })
    engines.POSTGRESQL.provision = provision
    await reconcileDatabases(panel.deps)
    expect(await rowsNamed(name)).toEqual([])
    expect(engines.POSTGRESQL.databases.get(name)).toEqual({ owner: 'somebody', bytes: 7 })
  })

  test.each([
    ['a server that refuses', () => new Error('in use by a replication slot'), 1],
    ['a server that keeps it waiting', () => new AdapterError('database-server-unavailable', 'lock timeout'), 2]
  ])('continues after a single failure: %s', async (_, failure, rounds) => {
    const made = [await newDatabase(ann), await newDatabase(ann), await newDatabase(ann)]
    const { db } = panel.deps
    for (const { id } of made) await db.update(databases).set({ status: 'DELETING' }).where(eq(databases.id, id))
    engines.POSTGRESQL.before = async (_act, account) => {
      if (account?.database === made[0]!.name) throw failure()
    }
    for (let round = 0; round < rounds; round++) await reconcileDatabases(panel.deps)
    expect(await rowsNamed(made[0]!.name)).toMatchObject([{ status: 'DELETING' }])
    for (const { name } of made.slice(1)) await nothingOf('POSTGRESQL', name)
    engines.POSTGRESQL.before = async () => {}
    await reconcileDatabases(panel.deps)
    await nothingOf('POSTGRESQL', made[0]!.name)
  })

  test('removes what was created while its account was deleted', async () => {
    const person = await panel.createUser(ann)
    const name = uniqueName('leaver')
    engines.POSTGRESQL.before = async (operation) => {
      if (operation === 'provision') await ann.request('DELETE', `/api/users/${person.user.id}?projects=delete`)
    }
    expect((await createDatabase(person, { name })).statusCode).toBe(404)
    await reconcileDatabases(panel.deps)
    await nothingOf('POSTGRESQL', name)
  })

  test('creates it unlinked if the project was deleted', async () => {
    const project = await ann.createProject()
    engines.POSTGRESQL.before = async (operation) => {
      if (operation === 'provision') await ann.request('DELETE', `/api/projects/${project.id}`)
    }
    const made = await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
    expect(made).toMatchObject({ projectId: null, autoInjectEnv: false })
  })
})

test('applies current limits to old accounts; an engine that is down does not block the other', async () => {
  const project = await ann.createProject()
  for (const type of databaseTypes) {
    const { username } = await newDatabase(ann, { type, projectId: project.id })
    engines[type].unlimited.add(username)
  }
  engines.POSTGRESQL.before = async () => {
    throw new AdapterError('database-server-unavailable', 'away')
  }
  await reconcileAccountLimits(panel.deps)
  expect(engines.MYSQL.unlimited.size).toBe(0)
  engines.POSTGRESQL.before = async () => {}
  await reconcileAccountLimits(panel.deps)
  expect(engines.POSTGRESQL.unlimited.size).toBe(0)
})
