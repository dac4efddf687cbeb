import type { ProviderPurpose } from '@proofdesk/contract/provider-login'
import { PROVIDER_RETURN_PATH } from '@proofdesk/contract/provider-return'
import { API_BASE } from '@proofdesk/contract/route'
import type { Server } from '../start/server.ts'
import type { TestIdentityProvider } from './identity-provider.ts'

interface Answer {
  status: number
  // A test knows what it asked for.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  cookies: string[]
}

/** A browser as far as signing in by a provider needs one: it keeps the cookies of the server. */
export interface ProviderBrowser {
  jar: Map<string, string>
  /** Presses the button. @returns the address at the provider, or of the sign-in screen after a failure */
  start(provider?: string, purpose?: ProviderPurpose, user?: number): Promise<string>
  /**
   * Opens the address that the provider sent the browser to.
   * @param purpose What it began with, to sign in when absent. @returns the fragment that the screen for it reads
   */
  comeBack(url: string, purpose?: ProviderPurpose): Promise<URLSearchParams>
  finish(code: string | null): Promise<Answer>
  /** Any call, with the cookies. @param access Of a signed-in person. */
  post(path: string, body: object, access?: string): Promise<Answer>
  /** Begins with the button and ends with the fragment. @param user Who links it. */
  visit(provider: TestIdentityProvider, purpose?: ProviderPurpose, user?: number): Promise<URLSearchParams>
  /** The whole way. */
  signIn(provider: TestIdentityProvider): Promise<Answer>
}

export function openBrowser(server: { app: Server['app'] }, remoteAddress = '127.0.0.1'): ProviderBrowser {
  const jar = new Map<string, string>()

  async function send(method: 'GET' | 'POST', url: string, payload?: object, access?: string) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await server.app.inject({
      method,
      url,
      remoteAddress,
      headers: { cookie, ...(access && { authorization: `Bearer ${access}` }) },
      ...(payload && { payload }),
    })
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return { answer, cookies }
  }
  async function goTo(url: string): Promise<string> {
    const { answer } = await send('GET', url)
    if (answer.statusCode !== 302) throw new Error(`${answer.statusCode} ${answer.body}`)
    return String(answer.headers.location)
  }

  const self: ProviderBrowser = {
    jar,
    start: (provider = 'oidc', purpose = 'sign-in', user) =>
      goTo(`${API_BASE}/auth/oidc/start?provider=${provider}&purpose=${purpose}${user ? `&user=${user}` : ''}`),
    comeBack: async (url, purpose = 'sign-in') => {
      const { pathname, search } = new URL(url)
      const screen = await goTo(pathname + search)
      const [path = '', fragment] = screen.split('#')
      if (path !== (purpose === 'sign-in' ? '/login' : PROVIDER_RETURN_PATH)) throw new Error(`led to ${screen}`)
      return new URLSearchParams(fragment)
    },
    finish: (code) => self.post('/auth/oidc/finish/', { code }),
    post: async (path, body, access) => {
      const { answer, cookies } = await send('POST', `${API_BASE}${path}`, body, access)
      return { status: answer.statusCode, body: answer.json(), cookies }
    },
    visit: async (provider, purpose, user) =>
      self.comeBack(await provider.visit(await self.start('oidc', purpose, user)), purpose),
    signIn: async (provider) => {
      const fragment = await self.visit(provider)
      return self.finish(fragment.get('provider_code'))
    },
  }
  return self
}
