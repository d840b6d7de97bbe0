/**
 * Values in another form than JSON: the settings, and what turns the bytes behind a registry's frame into JSON. The module
 * that does it is found as a service, only if a connector asks for it. The task thread uses it.
 */
package io.tidegate.connect.common.format;
