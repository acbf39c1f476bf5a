import { describe, expect, test } from 'vitest'
import type { ContainerSpec } from './container-engine.ts'
import { containerCreateBody } from './docker-container-spec.ts'

const spec: ContainerSpec = {
  name: 'p1',
  image: 'image:1',
  labels: { 'panel.instance': 'i' },
  env: { A: '1', B: 'x=$HOME "quoted"\n' },
  user: '20001:20001',
  network: 'panel',
  address: '172.28.0.10',
  hostPort: 20_001,
  containerPort: 3000,
  memoryBytes: 134_217_728,
  cpus: 0.3,
  pids: 100,
  readOnlyRoot: true,
  volumes: [{ name: 'v1', target: '/data/uploads' }],
  binds: [{ source: '/srv/by-id/01abc', target: '/data' }]
}
const bindRoots = ['/srv/by-id', '/srv/staging/drills']

describe('the body of "create container"', () => {
  test('matches exactly', () => {
    expect(containerCreateBody(spec, { bindRoots })).toEqual({
      Image: 'image:1',
      Labels: { 'panel.instance': 'i' },
      Env: ['A=1', 'B=x=$HOME "quoted"\n'],
      User: '20001:20001',
      Healthcheck: { Test: ['NONE'] },
      ExposedPorts: { '3000/tcp': {} },
      StopTimeout: 10,
      HostConfig: {
        Init: true,
        Privileged: false,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        OomScoreAdj: 500,
        PidsLimit: 100,
        Memory: 134_217_728,
        MemorySwap: 134_217_728,
        NanoCpus: 300_000_000,
        ReadonlyRootfs: true,
        Tmpfs: { '/tmp': 'size=64m,mode=1777,nosuid,nodev' },
        Mounts: [
          {
            Type: 'bind',
            Source: '/srv/by-id/01abc',
            Target: '/data',
            BindOptions: { Propagation: 'private', NonRecursive: true }
          },
          {
            Type: 'volume',
            Source: 'v1',
            Target: '/data/uploads',
            VolumeOptions: {
              NoCopy: false,
              Labels: { 'panel.instance': 'i' },
              DriverConfig: { Name: 'local', Options: {} }
            }
          }
        ],
        PortBindings: { '3000/tcp': [{ HostIp: '127.0.0.1', HostPort: '20001' }] },
        NetworkMode: 'panel',
        RestartPolicy: { Name: 'unless-stopped' },
        LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } }
      },
      NetworkingConfig: { EndpointsConfig: { panel: { IPAMConfig: { IPv4Address: '172.28.0.10' } } } }
    })
  })

  test('has a name in its network only when the spec has one', () => {
    const NetworkingConfig = {
      EndpointsConfig: { panel: { IPAMConfig: { IPv4Address: '172.28.0.10' }, Aliases: ['shop'] } }
    }
    expect(containerCreateBody({ ...spec, alias: 'shop' }, { bindRoots })).toMatchObject({ NetworkingConfig })
  })

  test('publishes nothing when the spec has no host port', () => {
    const { hostPort: _, ...unpublished } = spec
    expect(containerCreateBody(unpublished, { bindRoots })).toMatchObject({ HostConfig: { PortBindings: {} } })
  })

  test('has a command only when the spec has one', () => {
    expect(containerCreateBody(spec, { bindRoots })).not.toHaveProperty('Cmd')
    expect(containerCreateBody({ ...spec, command: ['a', 'b'] }, { bindRoots })).toHaveProperty('Cmd', ['a', 'b'])
  })

  test.each<[string, Partial<ContainerSpec>]>([
    ['a user by name', { user: 'root' }],
    ['the network of the host', { network: 'host' }],
    ['the network of another container', { network: 'container:abc' }],
    ['no memory limit', { memoryBytes: 0 }],
    ['no CPU limit', { cpus: 0 }],
    ['no process limit', { pids: 0 }],
    ['a port that the engine would choose', { hostPort: 0 }],
    ['a host directory as a volume', { volumes: [{ name: '/etc', target: '/data' }] }],
    ...[
      '/',
      '/etc',
      '/srv',
      '/srv/by-id',
      '/srv/by-id/',
      '/srv/by-id/.',
      '/srv/by-id/..',
      '/srv/by-id/01abc/x',
      '/srv/by-id/01abc/',
      '/srv/by-id/../by-id/x',
      '/srv//by-id/x',
      '/srv/by-idx',
      'srv/by-id/x',
      '/srv/by-id/a b',
      '/srv/by-id/a\n',
      ''
    ].map((source): [string, Partial<ContainerSpec>] => [
      `${JSON.stringify(source)} of the host`,
      { binds: [{ source, target: '/data' }] }
    ]),
    ['a variable whose name holds =', { env: { 'A=B': '1' } }],
    ['a variable without a name', { env: { '': '1' } }],
    ['a variable with NUL', { env: { A: 'x\0y' } }]
  ])('%s is refused', (_, changes) => {
    expect(() => containerCreateBody({ ...spec, ...changes }, { bindRoots })).toThrow(
      expect.objectContaining({ status: 400 })
    )
  })

  test('without bindRoots, rejects every host directory', () => {
    expect(() => containerCreateBody(spec)).toThrow(expect.objectContaining({ status: 400 }))
    expect(containerCreateBody({ ...spec, binds: [] })).toHaveProperty('HostConfig.Mounts.length', 1)
  })
})

test('a program replaces the entrypoint and is restarted', () => {
  const body = containerCreateBody({ ...spec, program: ['/bin/sh', '-c', 'work'] }, { bindRoots })
  expect(body).toMatchObject({
    Entrypoint: ['/bin/sh'],
    Cmd: ['-c', 'work'],
    HostConfig: { RestartPolicy: { Name: 'unless-stopped' } }
  })
})

test('a one-off command replaces the entrypoint and is not restarted', () => {
  const body = containerCreateBody({ ...spec, oneOff: ['report', '--all', '$HOME'] }, { bindRoots })
  expect(body).toMatchObject({
    Entrypoint: ['report'],
    Cmd: ['--all', '$HOME'],
    HostConfig: { RestartPolicy: { Name: 'no' } }
  })
})
