/** Addresses of the screens that anybody may open (specification section 2). None of them is an address of the API. */
export const PUBLIC_SCREENS = {
  home: '/',
  login: '/login',
  register: '/register',
  serviceContent: '/service-content',
  transparency: '/transparency',
  about: '/about',
  contact: '/contact',
  privacy: '/privacy',
  terms: '/terms',
  api: '/api',
} as const
