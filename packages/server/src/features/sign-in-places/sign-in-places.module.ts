import { feature } from '../feature.ts'

export const signInPlaces = feature({ name: 'sign-in-places' })
