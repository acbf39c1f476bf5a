import { expect, test } from 'vitest'
import { layersOfSteps, withParents } from './image-layers.policy.ts'

const image = (Id: string, Created: number, ParentId = '') => ({ Id, Created, ParentId })

test('an image without a parent gets the one that has the most of its first layers', () => {
  const layers: Record<string, string[]> = {
    base: ['a', 'b'],
    compilers: ['a', 'b', 'c'],
    site: ['a', 'b', 'd'],
    again: ['a', 'b', 'd'],
    other: ['x']
  }
  const images = [image('again', 5), image('site', 4), image('compilers', 2), image('base', 1), image('other', 3)]
  const parents = withParents([...images, image('classic', 9, 'base')], (id) => layers[id])
  expect(Object.fromEntries(parents.map(({ Id, ParentId }) => [Id, ParentId]))).toEqual({
    base: '',
    compilers: 'base',
    site: 'base',
    again: 'site',
    other: '',
    classic: 'base'
  })
})

test('steps are matched with layers, unless their numbers differ', () => {
  const steps = ['', '/bin/sh -c #(nop)  ENV A=b', '/bin/sh -c apt-get update', 'WORKDIR /app', 'CMD ["x"]', 'COPY --chown=1:1 /app/ /app/ # buildkit'] // oxfmt-ignore
  expect(layersOfSteps(steps, ['a', 'b', 'c', 'd'])).toEqual(['a', undefined, 'b', 'c', undefined, 'd'])
  expect(layersOfSteps(steps, ['a', 'b'])).toEqual(steps.map(() => undefined))
})
