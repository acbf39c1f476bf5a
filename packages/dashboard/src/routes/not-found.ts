import { createRoute } from '@tanstack/react-router'
import { NotFoundPage } from '../ui/states.tsx'
import { signedInRoute } from './signed-in.ts'

/** Any other address, inside the shell so that the navigation stays. */
export const notFoundRoute = createRoute({ getParentRoute: () => signedInRoute, path: '$', component: NotFoundPage })
