import { describe, expect, test } from 'vitest'
import { type ContainerFacts, containerPortOf, containerSpec } from './container-spec.policy.ts'

const config = {
  DEPLOY_MEMORY_LIMIT: 128 * 2 ** 20,
  DEPLOY_CPU_LIMIT: 0.5,
  DEPLOY_PIDS_LIMIT: 99,
  CONTAINER_DISK_LIMIT: 2 ** 30
}
const facts: ContainerFacts = {
  instanceId: 'inst',
  networkName: 'panel-inst',
  project: {
    id: 'pid',
    name: 'shop',
    type: 'NODEJS',
    port: null,
    size: null,
    readOnlyRoot: false,
    pageCache: false,
    keepsFiles: true
  },
  deploymentId: 'did',
  image: 'panel-pid:did',
  imageSpec: { port: 3000, readOnlyRoot: true, volumes: [], filesAt: '/data' },
  uid: 20_007,
  filesDirectory: '/projects/by-id/pid',
  mounts: [],
  legacyVolumes: [],
  env: { A: '1' },
  hostPort: 8123,
  address: '172.30.0.33'
}

test('the complete spec', () => {
  expect(containerSpec(config, facts)).toEqual({
    name: 'panel-inst-did',
    image: 'panel-pid:did',
    labels: {
      'panel.instance': 'inst',
      'panel.project': 'pid',
      'panel.project-name': 'shop',
      'panel.deployment': 'did',
      'panel.account': '20007'
    },
    env: {
      HOME: '/tmp',
      NODE_OPTIONS: '--max-old-space-size=96',
      PHP_MEMORY_LIMIT: '80M',
      PHP_OPCACHE_MEMORY: '48',
      A: '1',
      PORT: '3000',
      PANEL_DEPLOYMENT: 'did'
    },
    account: 20_007,
    user: '20007:20007',
    network: 'panel-inst',
    address: '172.30.0.33',
    hostPort: 8123,
    containerPort: 3000,
    memoryBytes: 134_217_728,
    cpus: 0.5,
    pids: 99,
    readOnlyRoot: true,
    layerBytes: 2 ** 30,
    volumes: [],
    binds: [{ source: '/projects/by-id/pid', target: '/data' }]
  })
})

test('a reachable project has its name in the network', () =>
  expect(containerSpec(config, { ...facts, isReachable: true }).alias).toBe('shop'))

test.each([
  [false, false, { readOnlyRoot: false, env: expect.objectContaining({ HOME: '/home/app' }) }],
  [true, false, { readOnlyRoot: true, env: expect.objectContaining({ HOME: '/tmp' }) }],
  [false, true, { readOnlyRoot: true, env: expect.objectContaining({ HOME: '/tmp' }) }]
])('image read-only: %s, project read-only: %s', (ofImage, ofProject, expected) => {
  const imageSpec = { ...facts.imageSpec, readOnlyRoot: ofImage, home: '/home/app' }
  const project = { ...facts.project, readOnlyRoot: ofProject }
  expect(containerSpec(config, { ...facts, imageSpec, project })).toMatchObject(expected)
})

test('volumes are mounted beside the project’s files, and named in a label', () => {
  const mounts = ['v2', 'v1'].map((id) => ({ id, source: `/by-id/${id}`, target: `/app/${id}` }))
  const imageSpec = { ...facts.imageSpec, filesAt: '/data', volumes: [] }
  const spec = containerSpec(config, { ...facts, imageSpec, mounts })
  const binds = mounts.map(({ source, target }) => ({ source, target }))
  expect(spec.binds).toEqual([{ source: facts.filesDirectory, target: '/data' }, ...binds])
  expect(spec.labels['panel.volumes']).toBe('v1,v2')
})

describe('the project’s files', () => {
  const data = { name: 'panel-inst-pid-data', target: '/data' }
  const uploads = { name: 'panel-inst-pid-var-www-html-wp-content-uploads', target: '/var/www/html/wp-content/uploads' }
  const files = (target: string) => ({ source: facts.filesDirectory, target })

  test.each<[string, Partial<ContainerFacts['imageSpec']>, string[], object]>([
    ['are where the image has them', { filesAt: '/var/www/html' }, [], { volumes: [], binds: [files('/var/www/html')] }], // oxfmt-ignore
    ['are replaced by a legacy volume', { filesAt: '/data' }, [data.name], { volumes: [data], binds: [] }],
    ['include legacy uploads', { filesAt: '/var/www/html' }, [uploads.name], { volumes: [uploads], binds: [files('/var/www/html')] }], // oxfmt-ignore
    ['exclude volumes of other paths', { filesAt: '/data' }, [uploads.name, 'foreign'], { volumes: [], binds: [files('/data')] }], // oxfmt-ignore
    [
      'are not mounted into a legacy image',
      { filesAt: undefined, volumes: ['/data'] },
      [],
      { volumes: [data], binds: [] }
    ],
    [
      'are not mounted into a legacy image without volumes',
      { filesAt: undefined },
      [data.name],
      { volumes: [], binds: [] }
    ]
  ])('%s', (_name, { filesAt, volumes = [] }, legacyVolumes, expected) => {
    const imageSpec = { port: 3000, readOnlyRoot: true, volumes, ...(filesAt === undefined ? {} : { filesAt }) }
    expect(containerSpec(config, { ...facts, imageSpec, legacyVolumes })).toMatchObject(expected)
  })
})

test('the owner’s variables change only the environment', () => {
  const env = {
    HOME: '/elsewhere',
    NODE_OPTIONS: '--inspect',
    USER: 'root',
    PANEL_DEPLOYMENT: 'other',
    PHP_MEMORY_LIMIT: '1G',
    PHP_OPCACHE_MEMORY: '128',
    'panel.instance': 'other',
    __proto__x: '1'
  }
  const spec = containerSpec(config, { ...facts, env })
  expect(spec).toEqual({ ...containerSpec(config, facts), env: { ...env, PORT: '3000', PANEL_DEPLOYMENT: 'did' } })
})

test('a variable named __proto__ is passed like any other', () => {
  const env = Object.fromEntries([
    ['__proto__', 'x'],
    ['constructor', 'y']
  ])
  expect(Object.entries(containerSpec(config, { ...facts, env }).env)).toEqual(
    expect.arrayContaining([
      ['__proto__', 'x'],
      ['constructor', 'y']
    ])
  )
})

test('the heap limit never falls below what Node needs to start', () => {
  expect(containerSpec({ ...config, DEPLOY_MEMORY_LIMIT: 2 ** 20 }, facts).env.NODE_OPTIONS).toBe(
    '--max-old-space-size=32'
  )
})

describe('the port', () => {
  test.each<[string, number | null, Record<string, string>, number]>([
    ['the project’s', 4000, { PORT: '5000' }, 4000],
    ['else $PORT', null, { PORT: '5000' }, 5000],
    ['else the image’s', null, {}, 3000],
    ...['0', '65536', '99999', '-1', '080', ' 80', '80x', '1e3', '', '3000; id'].map(
      (PORT): [string, null, { PORT: string }, number] => [
        `the image’s, for $PORT=${JSON.stringify(PORT)}`,
        null,
        { PORT },
        3000
      ]
    )
  ])('is %s', (_name, port, env, expected) => {
    expect(containerPortOf({ port }, env, facts.imageSpec)).toBe(expected)
    expect(containerSpec(config, { ...facts, project: { ...facts.project, port }, env })).toMatchObject({
      containerPort: expected,
      env: { PORT: String(expected) }
    })
  })
})

test('a run: its own name, labels and command, no published port, the rest as the site', () => {
  const { hostPort: _hostPort, name: _name, labels, ...site } = containerSpec(config, facts)
  const spec = containerSpec(config, { ...facts, run: { id: 'rid', command: 'a | b' } })
  expect(spec).toEqual({
    ...site,
    name: 'panel-inst-rid',
    labels: { ...labels, 'panel.deployment': 'rid', 'panel.run': 'rid' },
    oneOff: ['/bin/sh', '-c', 'a | b']
  })
  expect(containerSpec(config, { ...facts, run: { id: 'rid', command: ['a', '|'] } }).oneOff).toEqual(['a', '|'])
})

test('a worker: its own name, labels, command and size, no published port, the rest as the site', () => {
  const { hostPort: _hostPort, labels, ...site } = containerSpec(config, facts)
  const worker = {
    key: 'pid-jobs-2',
    process: 'jobs',
    instance: 2,
    revision: 'r',
    command: 'a | b',
    limits: { memoryBytes: 2 ** 26, cpus: 0.5 }
  }
  const spec = containerSpec(config, { ...facts, worker })
  expect(spec).toEqual({
    ...site,
    name: 'panel-inst-pid-jobs-2',
    labels: { ...labels, 'panel.deployment': 'pid-jobs-2', 'panel.process': 'jobs', 'panel.revision': 'r' },
    env: { ...site.env, NODE_OPTIONS: '--max-old-space-size=48', PHP_MEMORY_LIMIT: '32M', PANEL_PROCESS: 'jobs.2' },
    program: ['/bin/sh', '-c', 'a | b'],
    memoryBytes: 2 ** 26,
    cpus: 0.5
  })
})
