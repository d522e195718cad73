/** On everything below a signer's link: it is a key, so it goes into no cache, no referrer and no index. */
export const linkHeaders = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
};
