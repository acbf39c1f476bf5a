import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { ownPathIn, type RawSearch } from '../../routes/search.ts'
import { rootRoute } from '../../routes/root.tsx'
import { LoginPage } from './login-page.tsx'

const login = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: LoginPage,
  validateSearch: ({ next }: RawSearch): { next?: string | undefined } => ({ next: ownPathIn(next) })
})
const forgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage')
})
const resetPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage')
})
const register = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  component: lazyRouteComponent(() => import('./register-page.tsx'), 'RegisterPage')
})
const setup = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('./register-page.tsx'), 'SetupPage')
})

const moved = createRoute({
  getParentRoute: () => rootRoute,
  path: '/continue',
  component: lazyRouteComponent(() => import('./continue-page.tsx'), 'ContinuePage')
})

export const authRoutes = [login, forgotPassword, resetPassword, register, setup, moved] as const
