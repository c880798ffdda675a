/** The user that the service knows. */
export const USER_ID = 'bot@example.com';

/** The password that the user begins with. */
export const USER_SECRET = 'correct horse "battery" staple';

/** The name that the media type and one cookie carry. */
export const VENDOR = 'acme';
