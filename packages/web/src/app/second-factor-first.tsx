import { Navigate, Outlet } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { useTwoFactorDemanded } from '../lib/second-factor.ts'

/** Leads to the set-up of two-factor whoever is answered nothing else before; why is said there. */
export function SecondFactorFirst() {
  return useTwoFactorDemanded() ? <Navigate to={PATHS.twoFactorSetup} replace /> : <Outlet />
}
