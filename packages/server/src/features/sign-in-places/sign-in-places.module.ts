import { feature } from '../feature.ts'

/** Called by those that sign people in. */
export const signInPlaces = feature({ name: 'sign-in-places' })
