/** MILLRACE_OWNER_TOKEN of the tests' server: its owner reads the console without a browser. */
export const ownerToken = "mr_user_of-the-owner-in-the-tests-0123456789";

export const operatorHeaders = { Authorization: `Bearer ${ownerToken}` };
